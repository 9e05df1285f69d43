import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldAt, type Json, type KubeObject } from "#machinery";
import { home, type Recorded } from "../../tools/record-auth/case.ts";
import { stable } from "../../tools/record-auth/stable.ts";
import { ask, tokenOf } from "./asking.ts";
import { openSecuredServer, type SecuredServer } from "./secured-server.ts";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/auth/${name}.json`), "utf8"));

let server: SecuredServer;
let token: string;

beforeAll(async () => {
  server = await openSecuredServer();
  const transport = server.server.transport();
  for (const object of read("setup") as readonly KubeObject[]) await transport.create(resourceOf(object), object);
  await server.server.settle();
  token = await tokenOf(server, home, "robot");
});
afterAll(() => server.close());

for (const family of ["reviews", "refusals", "impersonation", "escalation"]) {
  describe(`the real server's answers about ${family}`, () => {
    const cases = read(family) as readonly Recorded[];
    test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, recorded) => {
      const { code, answer } = await replay(recorded);
      expect({ code, answer: comparable(answer) }).toEqual({
        code: recorded.code,
        answer: comparable(recorded.answer),
      });
    });
  });
}

async function replay({ method, path, body, headers, by }: Recorded) {
  const authorization = `Bearer ${by === "robot" ? token : "admin-token"}`;
  const joined = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), [value].flat().join(", ")]);
  const answered = await ask(server, {
    method,
    path,
    body: body === undefined ? undefined : replaced(body, "$robot", token),
    headers: { ...Object.fromEntries(joined), authorization },
  });
  if (answered.code === 201 && path.includes("rbac.authorization.k8s.io")) await remove(answered.answer);
  return { ...answered, answer: stable(replaced(answered.answer, token, "$robot")) };
}

async function remove(answer: Json): Promise<void> {
  const object = answer as unknown as KubeObject;
  const { namespace, name = "" } = object.metadata;
  await server.server.transport().delete(resourceOf(object), namespace === undefined ? { name } : { namespace, name });
}

/** The administrator shows a certificate there and a token here. */
function comparable(answer: Json): Json {
  const info = fieldAt(answer, "status", "userInfo", "username");
  return info === "admin" ? "the administrator" : answer;
}

function replaced(value: Json, from: string, to: string): Json {
  return JSON.parse(JSON.stringify(value).replaceAll(from, to)) as Json;
}

function resourceOf({ apiVersion, kind }: KubeObject) {
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return { group, version, resource: `${kind.toLowerCase()}s` };
}
