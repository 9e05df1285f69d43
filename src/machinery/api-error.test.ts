import { wrap } from "#base";
import { expect, test } from "vitest";
import {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  expired,
  forbiddenRequest,
  hasReason,
  internalError,
  invalidObject,
  isAlreadyExists,
  isConflict,
  isNotFound,
  notFound,
  staleObject,
} from "./api-error.ts";
import { required } from "./field-error.ts";

const machines = { group: "x.io", resource: "machines" };
const secrets = { group: "", resource: "secrets" };

const cases: Record<string, [error: ApiError, code: number, reason: string, message: string]> = {
  "not found": [notFound(machines, "m"), 404, "NotFound", 'machines.x.io "m" not found'],
  "not found in the core group": [notFound(secrets, "s"), 404, "NotFound", 'secrets "s" not found'],
  "a name that needs quoting": [notFound(secrets, 'a"\u0001é'), 404, "NotFound", 'secrets "a\\"\\x01é" not found'],
  "already there": [alreadyExists(machines, "m"), 409, "AlreadyExists", 'machines.x.io "m" already exists'],
  "a conflict": [
    conflict(machines, "m", "why"),
    409,
    "Conflict",
    'Operation cannot be fulfilled on machines.x.io "m": why',
  ],
  "a write from an older state": [
    staleObject(secrets, "s"),
    409,
    "Conflict",
    'Operation cannot be fulfilled on secrets "s": the object has been modified; please apply your changes to the latest version and try again',
  ],
  "something forbidden": [forbiddenRequest(secrets, "s", "why"), 403, "Forbidden", 'secrets "s" is forbidden: why'],
  "something forbidden without a name": [
    forbiddenRequest(secrets, "", "why"),
    403,
    "Forbidden",
    "secrets is forbidden: why",
  ],
  "a bad request": [badRequest("why"), 400, "BadRequest", "why"],
  "history that is gone": [expired("too old"), 410, "Expired", "too old"],
  "a fault of the server": [internalError("why"), 500, "InternalError", "Internal error occurred: why"],
  "an invalid object": [
    invalidObject({ group: "x.io", kind: "Machine" }, "m", [required("a"), required("b")]),
    422,
    "Invalid",
    'Machine.x.io "m" is invalid: [a: Required value, b: Required value]',
  ],
};

test.each(Object.entries(cases))("%s", (_, [error, code, reason, message]) => {
  expect([error.httpCode, error.reason, error.message]).toEqual([code, reason, message]);
  expect(error.status).toMatchObject({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    code,
  });
});

test("details name the object, and the causes what is wrong with it", () => {
  expect(notFound(machines, "m").status.details).toEqual({ name: "m", group: "x.io", kind: "machines" });
  expect(notFound(secrets, "s").status.details).toEqual({ name: "s", kind: "secrets" });
  expect(invalidObject({ group: "x.io", kind: "Machine" }, "", [required("a", "why")]).status.details).toEqual({
    group: "x.io",
    kind: "Machine",
    causes: [{ reason: "FieldValueRequired", message: "Required value: why", field: "a" }],
  });
});

test("a refusal is recognised through whatever was wrapped around it", () => {
  const gone = wrap(wrap(notFound(secrets, "s"), "b"), "a");
  expect([isNotFound(gone), isConflict(gone), isAlreadyExists(gone)]).toEqual([true, false, false]);
  expect([isConflict(staleObject(secrets, "s")), isAlreadyExists(alreadyExists(secrets, "s"))]).toEqual([true, true]);
  expect(hasReason(new Error("x"), "NotFound")).toBe(false);
});

test("an error without a reason or a code is a fault of the server", () => {
  const error = new ApiError({ httpCode: 500, reason: "", message: "x", continue: "token" });
  expect([error.reason, error.httpCode, error.status.metadata]).toEqual(["", 500, { continue: "token" }]);
  expect("reason" in error.status).toBe(false);
});
