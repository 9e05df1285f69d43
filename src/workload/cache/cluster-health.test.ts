import { expect, test } from "vitest";
import { createFakeClock, parseTimestamp, seconds } from "#base";
import { ApiError } from "#machinery";
import { type ClusterHealth, probeHealth, unknownHealth } from "./cluster-health.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const earlier = parseTimestamp("2025-01-15T11:59:00Z");
const clock = createFakeClock(noon);
const fine: ClusterHealth = { lastProbe: earlier, lastProbeSuccess: earlier, consecutiveFailures: 0 };

const probe = (health: ClusterHealth, ask?: () => Promise<unknown>) =>
  probeHealth(health, ask, { clock, failureThreshold: 5 });

function failing(error: Error): () => Promise<never> {
  return async () => {
    throw error;
  };
}

test("an answer makes everything good again", async () => {
  expect(await probe({ ...fine, consecutiveFailures: 4 }, () => Promise.resolve())).toEqual({
    health: { lastProbe: noon, lastProbeSuccess: noon, consecutiveFailures: 0 },
    tooManyFailures: false,
    unauthorized: false,
  });
});

test("a failure is counted, and the last success is remembered", async () => {
  const error = new Error("no route");
  expect(await probe(fine, failing(error))).toEqual({
    health: { lastProbe: noon, lastProbeSuccess: earlier, consecutiveFailures: 1 },
    tooManyFailures: false,
    unauthorized: false,
    error,
  });
});

test("the fifth failure in a row is one too many", async () => {
  const verdict = await probe({ ...unknownHealth, consecutiveFailures: 4 }, failing(new Error("no route")));
  expect(verdict).toMatchObject({ tooManyFailures: true, health: { consecutiveFailures: 5 } });
});

test("credentials that are refused are told apart, also as the failure that is one too many", async () => {
  const refusal = new ApiError({ httpCode: 401, reason: "Unauthorized", message: "Unauthorized" });
  expect(await probe(fine, failing(refusal))).toMatchObject({ unauthorized: true, tooManyFailures: false });
  const last = await probe({ ...fine, consecutiveFailures: 4 }, failing(refusal));
  expect(last).toMatchObject({ unauthorized: true, tooManyFailures: true });
});

test("without a connection nothing changes", async () => {
  await clock.advance(seconds(1));
  expect(await probe(fine)).toEqual({ health: fine, tooManyFailures: false, unauthorized: false });
});
