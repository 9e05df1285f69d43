import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock, createLogger, type Logger, parseTimestamp } from "#base";
import { forbiddenRequest } from "#machinery";
import type { AuditedRequest } from "./audit-event.ts";
import { openAuditLog } from "./audit-log.ts";

let folder: string;
let path: string;
let problems: string[];
let log: Logger;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-audit-"));
  path = join(folder, "audit.log");
  problems = [];
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  log = createLogger({ format: "text", level: "warn", clock, destination: { write: (line) => problems.push(line) } });
});
afterEach(() => rmSync(folder, { recursive: true }));

const joe = { name: "joe", uid: "7", groups: ["devs"] };
const request: AuditedRequest = {
  id: "1",
  uri: "/api/v1/namespaces/n/secrets?limit=1",
  attributes: {
    verb: "list",
    group: "",
    version: "v1",
    resource: "secrets",
    subresource: "",
    namespace: "n",
    name: "",
  },
  caller: joe,
  sourceIps: ["127.0.0.1"],
  userAgent: "kubectl",
  code: 200,
  receivedAt: Date.parse("2026-01-01T00:00:00.001Z"),
  answeredAt: Date.parse("2026-01-01T00:00:00.002Z") + 0.25,
};
const lines = () =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

test("a request is one line, as the real server writes it", async () => {
  const audit = await openAuditLog({ path, log });
  audit.record(request);
  await audit.close();
  expect(readFileSync(path, "utf8")).toBe(
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/n/secrets?limit=1","verb":"list","user":{"username":"joe","uid":"7","groups":["devs"]},"sourceIPs":["127.0.0.1"],"userAgent":"kubectl","objectRef":{"resource":"secrets","namespace":"n","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:00.001000Z","stageTimestamp":"2026-01-01T00:00:00.002250Z"}\n',
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a refusal is told in full, and who acted as whom", async () => {
  const audit = await openAuditLog({ path, log });
  const { status } = forbiddenRequest({ group: "", resource: "secrets" }, "", "no");
  const admin = { name: "admin", groups: ["system:masters"] };
  audit.record({ ...request, code: 403, status, caller: { ...joe, impersonator: admin } });
  audit.record({ ...request, code: 401, caller: undefined, attributes: { verb: "get", path: "/x" } });
  await audit.close();
  expect(lines()).toMatchObject([
    {
      user: { username: "admin" },
      impersonatedUser: { username: "joe" },
      responseStatus: {
        metadata: {},
        status: "Failure",
        message: "secrets is forbidden: no",
        reason: "Forbidden",
        details: { kind: "secrets" },
        code: 403,
      },
    },
    { user: {}, verb: "get", responseStatus: { code: 401 } },
  ]);
  expect(lines()[1]).not.toHaveProperty("objectRef");
});

test("lines come in order, and after what was there before", async () => {
  for (const begin of [0, 100]) {
    const audit = await openAuditLog({ path, log });
    for (let id = begin; id < begin + 100; id += 1) audit.record({ ...request, id: String(id) });
    await audit.close();
  }
  expect(lines().map((line) => Number((line as { auditID: string }).auditID))).toEqual(
    Array.from({ length: 200 }, (_, id) => id),
  );
});

test("a disk that is too slow costs lines and not requests, and that is told", async () => {
  const audit = await openAuditLog({ path, log, mostWaiting: 2 });
  for (let id = 0; id < 5; id += 1) audit.record({ ...request, id: String(id) });
  await audit.flush();
  expect(lines()).toHaveLength(2);
  expect(problems.join("")).toMatch(/requests are missing in the audit log.*dropped.*3/);
  await audit.close();
});

test("a file that cannot be opened is an error at once", async () => {
  await expect(openAuditLog({ path: join(folder, "no", "file"), log })).rejects.toThrow(/ENOENT/);
});
