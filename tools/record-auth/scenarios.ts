import { decodeJson, fieldAt, type Json, type JsonObject } from "#machinery";
import { type Case, home, type Recorded } from "./case.ts";
import type { Connection, Headers } from "./connection.ts";
import { escalationCases } from "./escalation-cases.ts";
import { impersonationCases, refusalCases } from "./refusal-cases.ts";
import { reviewCases } from "./review-cases.ts";
import { setup } from "./setup.ts";
import { stable } from "./stable.ts";

const families: readonly (readonly [string, readonly Case[]])[] = [
  ["reviews", reviewCases],
  ["refusals", refusalCases],
  ["impersonation", impersonationCases],
  ["escalation", escalationCases],
];

const plurals: Readonly<Record<string, string>> = { Namespace: "namespaces" };

/** Makes the objects, asks all questions, and removes everything again. */
export async function recordScenarios(
  connection: Connection,
): Promise<readonly (readonly [string, readonly unknown[]])[]> {
  await removeAll(connection);
  for (const object of setup) await expectCode(connection.ask("POST", collectionOf(object), object), 201);
  // What the server's caches learn, they learn a moment later.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  try {
    const token = await tokenOf(connection, "robot");
    const recorded: (readonly [string, readonly unknown[]])[] = [["setup", setup]];
    for (const [family, cases] of families) {
      const answers: Recorded[] = [];
      for (const each of cases) answers.push(await record(connection, each, token));
      recorded.push([family, answers]);
    }
    return recorded;
  } finally {
    await removeAll(connection);
  }
}

async function record(connection: Connection, asked: Case, token: string): Promise<Recorded> {
  const headers: Headers = {
    ...asked.headers,
    ...(asked.by === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const body = asked.body === undefined ? undefined : replaced(asked.body, "$robot", token);
  const { code, body: answer } = await connection.ask(asked.method, asked.path, body, headers);
  if (code === 201 && asked.path.includes("rbac.authorization.k8s.io")) {
    await connection.ask("DELETE", `${asked.path}/${String(fieldAt(answer, "metadata", "name"))}`);
  }
  return { ...asked, code, answer: stable(replaced(answer, token, "$robot")) };
}

function replaced(value: Json, from: string, to: string): Json {
  return decodeJson(Buffer.from(JSON.stringify(value).replaceAll(from, to))).value;
}

async function tokenOf(connection: Connection, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`;
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return String(fieldAt((await connection.ask("POST", path, body)).body, "status", "token"));
}

async function removeAll(connection: Connection): Promise<void> {
  for (const object of setup.toReversed()) {
    await connection.ask("DELETE", `${collectionOf(object)}/${nameOf(object)}?gracePeriodSeconds=0`);
  }
  for (let left = 100; left > 0; left--) {
    if ((await connection.ask("GET", `/api/v1/namespaces/${home}`)).code === 404) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`namespace ${home} does not go`);
}

function collectionOf(object: JsonObject): string {
  const [apiVersion, kind] = [String(fieldAt(object, "apiVersion")), String(fieldAt(object, "kind"))];
  const namespace = fieldAt(object, "metadata", "namespace");
  const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  return `${root}/${typeof namespace === "string" ? `namespaces/${namespace}/` : ""}${plural}`;
}

function nameOf(object: JsonObject): string {
  return String(fieldAt(object, "metadata", "name"));
}

async function expectCode(answering: ReturnType<Connection["ask"]>, code: number): Promise<void> {
  const answer = await answering;
  if (answer.code !== code) throw new Error(JSON.stringify(answer.body));
}
