import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { seconds } from "#base";
import { type CustomResourceDefinition, isNotFound, type KubeObject } from "#machinery";
import { brief, converting, definitions, reviewAnswer, watching, withThings } from "#apiserver/behaviour";
import { openMemoryStore } from "#apiserver/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestServer, type TestServer } from "./test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const namespace = "default";

let subject: TestServer;
beforeEach(async () => {
  subject = await openTestServer(openMemoryStore());
});
afterEach(() => subject.close());

test("a webhook that failed for one watcher is asked again for the next one", async () => {
  const { transport } = subject;
  await withThings({ ...subject, namespace, word: "w" }, {}, async ({ newer, older, thing, hook }) => {
    const [hasty, idle] = [watching(transport, older, { namespace }), watching(transport, older, { namespace })];
    await transport.create(newer, thing("v1", "a", { hostname: "x" }));
    expect([await hasty.next(), await idle.next()].map(brief)).toEqual(["added a", "added a"]);
    hook.answer(reviewAnswer({ result: { status: "Failure", message: "nope" } }));
    await transport.create(newer, thing("v1", "b", { hostname: "y" }));
    await expect(hasty.next()).rejects.toThrow("nope");
    hook.answer(converting);
    expect(brief(await idle.next())).toBe("added b");
    await idle.stop();
  });
});

test("a watch that had to wait for its revision begins with what is defined by then", async () => {
  const { transport, server, clock } = subject;
  await withThings({ ...subject, namespace, word: "w" }, {}, async ({ newer, older, name, thing }) => {
    const { metadata } = await transport.list(newer);
    const watch = watching(transport, older, {
      resourceVersion: String(Number(metadata.resourceVersion) + 5),
      resourceVersionMatch: "NotOlderThan",
      sendInitialEvents: true,
    });
    const definition = (await transport.get(definitions, { name })) as CustomResourceDefinition;
    const versions = definition.spec.versions.map((each) => ({ ...each, served: each.name === newer.version }));
    await transport.update(definitions, { ...definition, spec: { ...definition.spec, versions } });
    await server.settle();
    for (const each of ["a", "b", "c", "d", "e"]) await transport.create(newer, thing("v1", each, { hostname: "x" }));
    await clock.advance(seconds(1));
    await expect(watch.next()).rejects.toSatisfy(isNotFound);
  });
});

test("a watch does not hold on to what it began with", async () => {
  const { transport } = subject;
  await transport.create(configMaps, configMap("a"));
  const watch = watching(transport, configMaps, { namespace });
  const begun = new WeakRef((await watch.next()) ?? {});
  await transport.create(configMaps, configMap("b"));
  expect(brief(await watch.next())).toBe("added b");
  collectGarbage();
  expect(begun.deref()).toBeUndefined();
  await watch.stop();
});

function configMap(name: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name } };
}

function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
