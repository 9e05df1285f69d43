import { describe, expect, test } from "vitest";
import { annotations, ExtensionConfig } from "#api";
import { createLogger, minutes, noTime, seconds, systemClock } from "#base";
import { BeforeClusterDelete, createExtension, proceed } from "#extensions";
import { ApiError } from "#machinery";
import { aCertificate, aConfig, aRogue, base64, extensionWorld } from "./extension-world.ts";

const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => true } });
const extension = createExtension({ log }).on(BeforeClusterDelete, "guard", () => proceed);
const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c1", namespace: "default" },
  spec: {},
} as const;

/** What waits for the registry is looked at again after ten seconds. */
const warm = seconds(10);

describe("an extension", () => {
  test("is discovered and called, and nothing is written while nothing changes", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: server.url, caBundle: server.caBundle }));
    await here.world.advance(warm);
    expect(await here.discovered("ext")).toEqual({ status: "True", message: "", handlers: ["guard.ext"] });
    expect(here.row("ext")).toBe("discovered");
    expect(await here.extensions.call(BeforeClusterDelete, "guard.ext", { cluster })).toEqual(proceed);
    const { length } = here.world.writes("ExtensionConfig", "ext");
    await here.world.advance(minutes(60));
    expect(here.world.writes("ExtensionConfig", "ext")).toHaveLength(length);
  });

  test("that is deleted is not called any more", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: server.url, caBundle: server.caBundle }));
    await here.world.advance(warm);
    await here.world.client.delete(ExtensionConfig, { name: "ext" });
    await here.world.settle();
    await expect(here.extensions.call(BeforeClusterDelete, "guard.ext", { cluster })).rejects.toThrow(
      'failed to call extension handler "guard.ext"',
    );
  });

  test("that somebody holds back while it is deleted is not called any more either", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t);
    const held = { finalizers: ["example.com/hold"] };
    await here.world.apply(aConfig("ext", { url: server.url, caBundle: server.caBundle }, held));
    await here.world.advance(warm);
    await here.world.client.delete(ExtensionConfig, { name: "ext" });
    await here.world.settle();
    expect(here.row("ext")).toBe("deleting-keep");
    expect(await here.extensions.handlersFor(BeforeClusterDelete, { name: "c1" })).toEqual([]);
  });

  test("that is paused is left alone until it is not", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t);
    const paused = { annotations: { [annotations.paused]: "" } };
    await here.world.apply(aConfig("ext", { url: server.url, caBundle: server.caBundle }, paused));
    await here.world.advance(warm);
    expect(await here.discovered("ext")).toEqual({ handlers: [] });
    expect(here.row("ext")).toBe("paused-keep");
    await here.world.apply(aConfig("ext", { url: server.url, caBundle: server.caBundle }));
    await here.world.settle();
    expect(await here.discovered("ext")).toMatchObject({ status: "True" });
  });

  test("whose address changes is discovered anew, in its new generation", async (t) => {
    await using first = await extension.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: first.url, caBundle: first.caBundle }));
    await here.world.advance(warm);
    const other = createExtension({ log }).on(BeforeClusterDelete, "other", () => proceed);
    await using second = await other.listen({ host: "127.0.0.1" });
    await here.world.apply(aConfig("ext", { url: second.url, caBundle: second.caBundle }));
    await here.world.settle();
    expect(await here.discovered("ext")).toMatchObject({ status: "True", handlers: ["other.ext"] });
    const { metadata, status } = await here.world.get(ExtensionConfig, "ext");
    expect(status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([
      metadata.generation,
      metadata.generation,
    ]);
    expect(await here.extensions.handlersFor(BeforeClusterDelete, { name: "c1" })).toEqual(["other.ext"]);
  });
});

describe("an extension whose status cannot be written", () => {
  test("is not called in its new form, and is written down as soon as that is let through", async (t) => {
    let isRefused = false;
    const refusing = {
      name: "refuses what is found out",
      handles: ({
        resource,
        subresource,
      }: {
        readonly resource: { readonly resource: string };
        readonly subresource?: string;
      }) => isRefused && resource.resource === "extensionconfigs" && subresource === "status",
      validate: () => {
        throw new ApiError({ httpCode: 403, reason: "Forbidden", message: "not today" });
      },
    };
    await using first = await extension.listen({ host: "127.0.0.1" });
    const other = createExtension({ log }).on(BeforeClusterDelete, "other", () => proceed);
    await using second = await other.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t, { plugins: [refusing] });
    await here.world.apply(aConfig("ext", { url: first.url, caBundle: first.caBundle }));
    await here.world.advance(warm);

    isRefused = true;
    await here.world.apply(aConfig("ext", { url: second.url, caBundle: second.caBundle }));
    await here.world.apply(aConfig("late", { url: second.url, caBundle: second.caBundle }));
    await here.world.settle();
    expect([here.row("ext"), here.row("late")]).toEqual(["not-written-keep", "pause-not-noted-keep"]);
    expect(await here.extensions.handlersFor(BeforeClusterDelete, { name: "c1" })).toEqual(["guard.ext"]);

    isRefused = false;
    await here.world.advance(minutes(1));
    expect([here.row("ext"), here.row("late")]).toEqual(["discovered", "discovered"]);
    expect(await here.extensions.handlersFor(BeforeClusterDelete, { name: "c1" })).toEqual(["other.ext", "other.late"]);
  });
});

describe("an extension that cannot be asked", () => {
  const ours = aCertificate();
  const path = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery?timeout=10s";
  const extensionFailed = 'Error in discovery: failed to discover extension "ext"';
  const callFailed = `${extensionFailed}: http call failed`;

  interface Case {
    readonly name: string;
    readonly answer: Parameters<typeof aRogue>[0];
    readonly message: string;
  }
  const cases: readonly Case[] = [
    {
      name: "because it answers garbage",
      answer: (_, response) => response.end("<html>"),
      message: `${callFailed}: failed to decode response: invalid character '<' looking for beginning of value`,
    },
    {
      name: "because it answers with 100 MB",
      answer: (_, response) => {
        response.on("error", () => undefined);
        for (let count = 0; count < 100; count++) response.write(Buffer.alloc(1024 * 1024, " "));
        response.end();
      },
      message: `${callFailed}: Post "URL${path}": POST: the answer is larger than 20971520 bytes`,
    },
    {
      name: "because it sends people elsewhere",
      answer: (_, response) => response.writeHead(302, { location: "https://elsewhere.example.com" }).end("elsewhere"),
      message: `${callFailed}: got response with status code 302 != 200: response: "elsewhere"`,
    },
    {
      name: "because it has failed",
      answer: (_, response) => response.end('{"status":"Failure","message":"a secret"}'),
      message: `${extensionFailed}: got failure response, please check controller logs for errors`,
    },
    {
      name: "because it names a hook that does not exist",
      answer: (_, response) =>
        response.end('{"status":"Success","handlers":[{"name":"a","requestHook":{"apiVersion":"x/v1","hook":"No"}}]}'),
      message: `${extensionFailed}: failed to validate discovery response: handler a requestHook x/v1/No is not in the Runtime SDK catalog`,
    },
  ];

  test.for(cases)("$name is told so", async ({ answer, message }, t) => {
    await using rogue = await aRogue(answer, ours);
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: rogue.url, caBundle: base64(ours.authority) }));
    await here.world.settle();
    const found = await here.discovered("ext");
    expect({ ...found, message: found.message?.replaceAll(rogue.url, "URL") }).toEqual({
      status: "False",
      message,
      handlers: [],
    });
    expect(here.row("ext")).toBe("discovery-failed");
  });

  test("because another authority signs its certificate is told so", async (t) => {
    await using server = await extension.listen({ host: "127.0.0.1" });
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: server.url, caBundle: base64(ours.authority) }));
    await here.world.settle();
    const { message = "" } = await here.discovered("ext");
    expect(message).toContain("tls: failed to verify certificate: x509: certificate signed by unknown authority");
  });

  test("because it never answers is given up after ten seconds, however slow it is", async (t) => {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await using rogue = await aRogue((_, response) => {
      response.writeHead(200).write('{"status"');
      arrive();
    }, ours);
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: rogue.url, caBundle: base64(ours.authority) }));
    await arrived;
    await here.world.clock.advance(seconds(10));
    // It is asked again at once, because its status has changed, so that this world never settles.
    while ((await here.discovered("ext")).message === undefined) await here.world.clock.advance(noTime);
    expect((await here.discovered("ext")).message).toContain("context deadline exceeded");
  });

  test("is asked again, later and later, and is called as before meanwhile", async (t) => {
    let isWell = true;
    const answers = await aRogue((request, response) => {
      const isDiscovery = request.url?.includes("/discovery") ?? false;
      if (!isWell && isDiscovery) response.writeHead(503).end("down");
      else if (!isDiscovery) response.end('{"status":"Success"}');
      else
        response.end(
          `{"status":"Success","handlers":[{"name":"guard","requestHook":{"apiVersion":"${BeforeClusterDelete.apiVersion}","hook":"BeforeClusterDelete"}}]}`,
        );
    }, ours);
    await using rogue = answers;
    await using here = await extensionWorld(t);
    const config = aConfig("ext", { url: rogue.url, caBundle: base64(ours.authority) });
    await here.world.apply(config);
    await here.world.advance(warm);
    isWell = false;
    await here.world.apply({ ...config, metadata: { ...config.metadata, labels: { touched: "yes" } } });
    await here.world.settle();
    expect(await here.discovered("ext")).toEqual({
      status: "False",
      message: `${callFailed}: got response with status code 503 != 200: response: "down"`,
      handlers: [],
    });
    expect(await here.extensions.call(BeforeClusterDelete, "guard.ext", { cluster })).toEqual(proceed);
    const { length } = here.world.passes("ExtensionConfig", "ext");
    await here.world.advance(seconds(20));
    const tries = here.world.passes("ExtensionConfig", "ext").length - length;
    expect([tries > 8, tries < 16]).toEqual([true, true]);
    isWell = true;
    await here.world.advance(minutes(1));
    expect(await here.discovered("ext")).toMatchObject({ status: "True", handlers: ["guard.ext"] });
  });
});

describe("the authority of an extension", () => {
  const secretNamed = (data: { readonly [key: string]: string }) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "ca" },
    data,
  });
  const fromSecret = (namespace: string) => ({
    annotations: { [annotations.injectCaFromSecret]: `${namespace}/ca` },
  });

  test("is taken from its Secret, also when that changes", async (t) => {
    const [first, second] = [aCertificate(), aCertificate()];
    await using server = await extension.listen({
      host: "127.0.0.1",
      tls: { cert: first.certificate, key: first.key },
    });
    await using here = await extensionWorld(t);
    await here.world.apply(secretNamed({ "ca.crt": base64(first.authority) }));
    await here.world.apply(aConfig("ext", { url: server.url }, fromSecret(here.world.namespace)));
    await here.world.advance(warm);
    expect(await here.discovered("ext")).toMatchObject({ status: "True" });
    expect((await here.world.get(ExtensionConfig, "ext")).spec.clientConfig.caBundle).toBe(base64(first.authority));

    server.renew({ cert: second.certificate, key: second.key });
    await here.world.apply(secretNamed({ "ca.crt": base64(second.authority) }));
    await here.world.settle();
    const { metadata, spec, status } = await here.world.get(ExtensionConfig, "ext");
    expect(spec.clientConfig.caBundle).toBe(base64(second.authority));
    expect(status?.conditions?.[0]).toMatchObject({
      type: "Discovered",
      status: "True",
      observedGeneration: metadata.generation,
    });
    expect(await here.extensions.call(BeforeClusterDelete, "guard.ext", { cluster })).toEqual(proceed);
  });

  test("that cannot be found keeps everything as it is, until it can", async (t) => {
    const tls = aCertificate();
    await using server = await extension.listen({ host: "127.0.0.1", tls: { cert: tls.certificate, key: tls.key } });
    await using here = await extensionWorld(t);
    await here.world.apply(aConfig("ext", { url: server.url }, fromSecret(here.world.namespace)));
    await here.world.settle();
    expect(await here.discovered("ext")).toEqual({ handlers: [] });
    expect(here.row("ext")).toBe("authority-failed-keep");
    await here.world.apply(secretNamed({ "ca.crt": base64(tls.authority) }));
    await here.world.settle();
    expect(await here.discovered("ext")).toMatchObject({ status: "True" });
  });
});
