import { createFakeClock, parseTimestamp, seconds } from "#base";
import type { DiscoveredResource } from "#machinery";
import { expect, test } from "vitest";
import { NoKindMatchError, NoResourceMatchError } from "./errors.ts";
import { createRestMapper } from "./rest-mapper.ts";

function served(kind: string, version = "v1", preferred = true): DiscoveredResource {
  const resource = `${kind.toLowerCase()}s`;
  return {
    group: "example.com",
    version,
    kind,
    resource,
    singular: kind.toLowerCase(),
    namespaced: true,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
    preferred,
  };
}

/** A server whose kinds a test decides, and that counts how often it is asked. */
function world(...resources: DiscoveredResource[]) {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const state = { resources, asked: 0, error: undefined as Error | undefined };
  const discover = async () => {
    state.asked++;
    await new Promise((resolve) => setImmediate(resolve));
    if (state.error !== undefined) throw state.error;
    return [...state.resources];
  };
  return { clock, state, mapper: createRestMapper({ discover }, { clock }) };
}

const widget = { group: "example.com", version: "v1", kind: "Widget" };

test("a kind is found by its version, and without one in the version that the server prefers", async () => {
  const { mapper } = world(served("Widget", "v2"), served("Widget", "v1", false), served("Old", "v1", false));
  expect(await mapper.resourceOf(widget)).toMatchObject({ version: "v1", resource: "widgets" });
  expect(await mapper.resourceOf({ group: "example.com", kind: "Widget" })).toMatchObject({ version: "v2" });
  expect(await mapper.resourceOf({ group: "example.com", kind: "Old" })).toMatchObject({ version: "v1" });
  expect(await mapper.kindOf({ group: "example.com", version: "v2", resource: "widgets" })).toEqual({
    group: "example.com",
    version: "v2",
    kind: "Widget",
  });
});

test("a kind that is not known is looked for again, but not at every question", async () => {
  const { clock, state, mapper } = world(served("Gadget"));
  await expect(mapper.resourceOf(widget)).rejects.toBeInstanceOf(NoKindMatchError);
  expect(state.asked).toBe(1);
  state.resources.push(served("Widget"));
  await expect(mapper.resourceOf(widget)).rejects.toThrow("the server serves no example.com/v1, Kind=Widget");
  expect(state.asked).toBe(1);
  await clock.advance(seconds(3));
  expect(await mapper.resourceOf(widget)).toMatchObject({ resource: "widgets" });
  expect(await mapper.resourceOf(widget)).toMatchObject({ resource: "widgets" });
  expect(state.asked).toBe(2);
});

test("many who miss something at once ask once", async () => {
  const { clock, state, mapper } = world(served("Gadget"));
  await mapper.all();
  await clock.advance(seconds(3));
  state.resources.push(served("Widget"));
  await Promise.all(Array.from({ length: 20 }, () => mapper.resourceOf(widget)));
  expect(state.asked).toBe(2);
});

test("a failed look is not remembered, and one who gives up does not spoil it for the others", async () => {
  const { state, mapper } = world(served("Widget"));
  state.error = new Error("down");
  await expect(mapper.resourceOf(widget)).rejects.toThrow("down");
  state.error = undefined;
  const stop = new AbortController();
  const given = mapper.resourceOf(widget, { signal: stop.signal });
  const other = mapper.resourceOf(widget);
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  expect(await other).toMatchObject({ resource: "widgets" });
  expect(state.asked).toBe(2);
});

test("a resource that is not there is named", async () => {
  const { mapper } = world();
  const missing = mapper.kindOf({ group: "example.com", version: "v1", resource: "gizmos" });
  await expect(missing).rejects.toBeInstanceOf(NoResourceMatchError);
  await expect(missing).rejects.toThrow("the server serves no gizmos.example.com in v1");
});
