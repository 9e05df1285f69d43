import { seconds } from "#base";
import type { Json, JsonObject, KubeObject } from "#machinery";
import { expect } from "vitest";
import { refusal, refused, type Scene, type Sentence, warnings } from "./scene.ts";
import { type Answering, changed, reviewed } from "./webhook-server.ts";
import { type HookScene, withHooks } from "./webhook-scene.ts";
import { configMap, configMaps } from "./widget.ts";

const name = "x.example.com";
const failed = (why: string) => ({
  code: 500,
  reason: "InternalError",
  message: `Internal error occurred: failed calling webhook "${name}": ${why}`,
});
const broken = (why: string) => ({ code: 500, reason: "InternalError", message: `Internal error occurred: ${why}` });
const bytes = (text: string) => Buffer.from(text).toString("base64");

/** Webhooks that refuse, fail, or answer what nobody asked. */
export function webhookFailureSentences(sentence: Sentence): void {
  sentence("a webhook that refuses is quoted, with its code, reason and details", async (scene) => {
    const details = {
      name: "x",
      group: "g",
      kind: "k",
      uid: "u",
      causes: [{ reason: "R", message: "M", field: "f" }],
      retryAfterSeconds: 3,
    };
    const denied = `admission webhook "${name}" denied the request`;
    const cases: readonly [JsonObject, JsonObject][] = [
      [{}, { code: 400, message: `${denied} without explanation` }],
      [{ status: {} }, { code: 400, message: `${denied} without explanation` }],
      [{ status: { message: "no way" } }, { code: 400, message: `${denied}: no way` }],
      [{ status: { reason: "Because" } }, { code: 400, reason: "Because", message: `${denied}: Because` }],
      [{ status: { code: 418, message: "teapot" } }, { code: 418, message: `${denied}: teapot` }],
      [{ status: { code: 200, message: "odd", status: "Success" } }, { code: 400, message: `${denied}: odd` }],
      [
        { status: { code: 409, reason: "Conflict", message: "m", details } },
        { code: 409, reason: "Conflict", message: `${denied}: m`, details },
      ],
    ];
    await asking(scene, "validating", async ({ hook, attempt }) => {
      for (const [response, expected] of cases) {
        hook.answer((asked) => reviewed(asked, { allowed: false, ...response }));
        expect(await refusal(attempt())).toMatchObject({ status: "Failure", ...expected });
      }
    });
    await asking(scene, "mutating", async ({ hook, attempt }) => {
      hook.answer((asked) => reviewed(asked, { allowed: false, status: { message: "no" }, warnings: ["mind"] }));
      const heard = warnings();
      expect(await refused(attempt({ onWarning: heard.onWarning }))).toEqual({ code: 400, message: `${denied}: no` });
      expect(heard.texts).toEqual(["mind"]);
    });
  });

  sentence("an answer that is none to what was asked is a failure", async (scene) => {
    const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
    const invalid = (why: string) => failed(`received invalid webhook response: ${why}`);
    const mistyped = (what: string, field: string, type: string) =>
      failed(
        `failed to call webhook: json: cannot unmarshal ${what} into Go struct field AdmissionResponse.response.${field} of type ${type}`,
      );
    const cases: readonly [Answering, JsonObject][] = [
      [() => review, invalid("webhook response was absent")],
      [() => ({ ...review, response: null }), invalid("webhook response was absent")],
      [() => ({}), invalid("webhook response was absent")],
      [
        ({ uid }) => ({ ...review, response: { uid: `not ${uid}`, allowed: true } }),
        invalid('expected response.uid="UID", got "not UID"'),
      ],
      [() => ({ ...review, response: { allowed: true } }), invalid('expected response.uid="UID", got ""')],
      [
        (asked) => ({ response: reviewed(asked, {})["response"] ?? null }),
        invalid("expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="),
      ],
      [
        (asked) => ({ ...reviewed(asked, {}), apiVersion: "admission.k8s.io/v1beta1" }),
        failed(
          "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
        ),
      ],
      [
        () => ({ apiVersion: "v1", kind: "Status", status: "Failure", message: "hello", code: 403 }),
        failed("failed to call webhook: converting (v1.Status) to (v1.AdmissionReview): unknown conversion"),
      ],
      [(asked) => reviewed(asked, { allowed: "yes" }), mistyped("string", "allowed", "bool")],
      [(asked) => reviewed(asked, { warnings: "x" }), mistyped("string", "warnings", "[]string")],
      [(asked) => reviewed(asked, { patch: 5 }), mistyped("number", "patch", "[]uint8")],
      [
        (asked) => reviewed(asked, { patch: "%%%" }),
        failed("failed to call webhook: illegal base64 data at input byte 0"),
      ],
      [(asked) => reviewed(asked, { patch: bytes("[]") }), invalid("validating webhook may not return response.patch")],
      [
        (asked) => reviewed(asked, { patchType: "JSONPatch" }),
        invalid("validating webhook may not return response.patchType"),
      ],
    ];
    await asking(scene, "validating", async ({ hook, attempt }) => {
      for (const [answer, expected] of cases) {
        hook.answer(answer);
        const { code, reason = "", message = "" } = await refusal(attempt());
        const { uid = "" } = hook.asked.at(-1) ?? {};
        expect({ code, reason, message: message.replaceAll(uid, "UID") }).toEqual(expected);
      }
    });
  });

  sentence("an answer that is no success is a failure in the words for its code", async (scene) => {
    const cases: readonly [number, string | undefined, string, string][] = [
      [400, "text/plain", "bad", "the server rejected our request for an unknown reason"],
      [401, "text/plain", "bad", "the server has asked for the client to provide credentials"],
      [403, "text/plain", "bad", "bad"],
      [404, "text/plain", "404 page not found\n", "the server could not find the requested resource"],
      [405, "text/plain", "bad", "the server does not allow this method on the requested resource"],
      [406, "text/plain", "bad", "bad"],
      [409, "text/plain", "bad", "the server reported a conflict"],
      [410, "text/plain", "bad", "the server responded with the status code 410 but did not return more information"],
      [415, "text/plain", "bad", "bad"],
      [422, "text/plain", "bad", "the server rejected our request due to an error in our request"],
      [429, "text/plain", "bad", "the server has received too many requests and has asked us to try again later"],
      [500, "text/plain", "boom\n", 'an error on the server ("boom") has prevented the request from succeeding'],
      [500, undefined, "boom", 'an error on the server ("boom") has prevented the request from succeeding'],
      [
        500,
        "application/json",
        '{"a":1}',
        'an error on the server ("unknown") has prevented the request from succeeding',
      ],
      [
        500,
        "text/html",
        '<b>"x"</b>',
        'an error on the server ("<b>\\"x\\"</b>") has prevented the request from succeeding',
      ],
      [502, "text/plain", "bad", 'an error on the server ("bad") has prevented the request from succeeding'],
      [503, "text/plain", "bad", "the server is currently unable to handle the request"],
      [
        504,
        "text/plain",
        "bad",
        "the server was unable to return a response in the time allotted, but may still be processing the request",
      ],
      [403, "application/json", '{"apiVersion":"v1","kind":"Status","status":"Failure","message":"hello"}', "hello"],
      [200, "application/json", "", "0-length response with status code: 200 and content type: application/json"],
      [
        200,
        "application/json",
        "{nope",
        "couldn't get version/kind; json parse error: invalid character 'n' looking for beginning of object key string",
      ],
    ];
    await asking(scene, "validating", async ({ hook, attempt }) => {
      for (const [code, type, text, why] of cases) {
        hook.answer((_, response) => {
          response.writeHead(code, type === undefined ? {} : { "content-type": type });
          response.end(text);
          return undefined;
        });
        expect(await refused(attempt())).toEqual(failed(`failed to call webhook: ${why}`));
      }
    });
  });

  sentence("a patch that cannot be read or does not apply is a failure", async (scene) => {
    const undecodable = (why: string) => failed(`received undecodable patch in webhook response: ${why}`);
    const invalid = (why: string) => failed(`received invalid webhook response: webhook returned ${why}`);
    const patch =
      (operations: Json): Answering =>
      (asked) =>
        changed(asked, operations);
    const cases: readonly [Answering, JsonObject][] = [
      [patch([{ op: "test", path: "/data/a", value: "2" }]), broken("testing value /data/a failed: test failed")],
      [
        patch([{ op: "remove", path: "/data/zz" }]),
        broken("error in remove for path: '/data/zz': Unable to remove nonexistent key: zz: missing value"),
      ],
      [
        patch([{ op: "add", path: "/metadata/labels/x", value: "y" }]),
        broken('add operation does not apply: doc is missing path: "/metadata/labels/x": missing value'),
      ],
      [patch([{ op: "foo", path: "/a" }]), broken("Unexpected kind: foo")],
      [patch([{ op: "add", value: 1 }]), broken("add operation failed to decode path: missing value")],
      [patch({ a: 1 }), undecodable("json: cannot unmarshal object into Go value of type jsonpatch.Patch")],
      [
        (asked) => reviewed(asked, { patchType: "JSONPatch", patch: bytes("zzz") }),
        undecodable("invalid character 'z' looking for beginning of value"),
      ],
      [(asked) => reviewed(asked, { patch: bytes("[]") }), invalid("response.patch but not response.patchType")],
      [(asked) => reviewed(asked, { patchType: "JSONPatch" }), invalid("response.patchType but not response.patch")],
      [(asked) => reviewed(asked, { patchType: "", patch: bytes("[]") }), invalid('invalid response.patchType of ""')],
      [
        (asked) => reviewed(asked, { patchType: "MergePatch", patch: bytes('[{"op":"add","path":"/x","value":1}]') }),
        failed('unsupported patch type "MergePatch"'),
      ],
      [
        patch([{ op: "replace", path: "/metadata/namespace", value: "default" }]),
        {
          code: 400,
          reason: "BadRequest",
          message: "the namespace of the provided object does not match the namespace sent on the request",
        },
      ],
    ];
    const { transport, namespace } = scene;
    await transport.create(configMaps, configMap({ namespace, name: "stays" }));
    await asking(scene, "mutating", async ({ hook, attempt }) => {
      for (const [answer, expected] of cases) {
        hook.answer(answer);
        expect(await refused(attempt())).toEqual(expected);
      }
      for (const nothing of [[], null]) {
        hook.answer(patch(nothing));
        await attempt();
      }
      hook.answer(patch([{ op: "add", path: "/data/b", value: "2" }]));
      expect(await refused(transport.delete(configMaps, { namespace, name: "stays" }))).toEqual(
        broken(`admission webhook "${name}" attempted to modify the object, which is not supported for this operation`),
      );
    });
  });

  sentence("a webhook that makes a mess of the owners of fields is not followed", async (scene) => {
    await asking(scene, "mutating", async ({ hook, attempt }) => {
      hook.answer((asked) =>
        changed(asked, [{ op: "add", path: "/metadata/managedFields", value: [{ operation: "Nope" }] }]),
      );
      const heard = warnings();
      const created = await attempt({ onWarning: heard.onWarning });
      expect(created.metadata.managedFields).toMatchObject([{ operation: "Update" }]);
      expect(heard.texts).toEqual([
        ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`",
      ]);
    });
  });

  sentence("a webhook that cannot be reached fails the request, or is passed over", async (scene) => {
    const { transport, namespace } = scene;
    // Nobody is given this port by chance, as one that was just let go could be.
    const port = 1;
    const url = `https://127.0.0.1:${port}/nobody`;
    const at = (clientConfig: JsonObject, more: JsonObject = {}) => ({ name: "x", more: { clientConfig, ...more } });
    const refusedText = `Post "${url}?timeout=5s": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    for (const kind of ["validating", "mutating"] as const) {
      await withHooks(scene, { [kind]: [at({ url })] }, async () => {
        const attempt = transport.create(configMaps, configMap({ namespace, name: "a" }));
        expect(await refused(attempt)).toEqual(failed(`failed to call webhook: ${refusedText}`));
      });
      await withHooks(scene, { [kind]: [at({ url }, { failurePolicy: "Ignore" })] }, async () => {
        await transport.create(configMaps, configMap({ namespace, name: kind }));
      });
    }
    const service = { namespace: "default", name: "nobody", path: "/path" };
    await withHooks(scene, { validating: [at({ service })] }, async () => {
      const attempt = transport.create(configMaps, configMap({ namespace, name: "a" }));
      const why = 'Post "https://nobody.default.svc:443/path?timeout=5s": service "nobody" not found';
      expect(await refused(attempt)).toEqual(failed(`failed to call webhook: ${why}`));
    });
  });

  sentence("a webhook whose certificate proves nothing is not talked to", async (scene) => {
    const { transport, namespace } = scene;
    await withHooks(scene, { validating: [{ name: "good" }] }, async ({ hook }) => {
      const post = (host: string) => `failed to call webhook: Post "https://${host}:${hook.port}/x?timeout=5s"`;
      const trusted = { caBundle: hook.caBundle };
      const cases: readonly [JsonObject, string][] = [
        [
          { url: `${hook.url}/x` },
          `${post("127.0.0.1")}: tls: failed to verify certificate: x509: certificate signed by unknown authority`,
        ],
        [
          { url: `https://localhost:${hook.port}/x`, ...trusted },
          `${post("localhost")}: tls: failed to verify certificate: x509: certificate is valid for hook.default.svc, not localhost`,
        ],
        [
          { url: `${hook.url}/x`, caBundle: bytes("garbage") },
          "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block",
        ],
      ];
      for (const [clientConfig, why] of cases) {
        await withHooks(
          { ...scene, word: `${scene.word}x` },
          { validating: [{ name: "x", more: { clientConfig } }] },
          async () => {
            const attempt = transport.create(configMaps, configMap({ namespace, name: "a" }));
            expect(await refused(attempt)).toEqual(failed(why));
          },
        );
      }
    });
  });

  sentence("a webhook that hangs up, or breaks off its answer, fails the request", async (scene) => {
    await asking(scene, "validating", async ({ hook, attempt }) => {
      hook.answer((_, response) => void response.socket?.end());
      const why = `Post "${hook.url}/x?timeout=5s": EOF`;
      expect(await refused(attempt())).toEqual(failed(`failed to call webhook: ${why}`));
      hook.answer((_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
        response.write("{", () => response.socket?.end());
        return undefined;
      });
      const half = "unexpected error when reading response body. Please retry. Original error: unexpected EOF";
      expect(await refused(attempt())).toEqual(failed(`failed to call webhook: ${half}`));
    });
  });

  sentence("a webhook that takes too long fails the request", async (scene) => {
    const { advance } = scene;
    await asking(
      scene,
      "validating",
      async ({ hook, attempt }) => {
        // Time passes only where it can be moved; elsewhere it takes its own course.
        const later = (): undefined => void advance?.(seconds(1));
        hook.answer(later);
        const outcome = await refused(attempt());
        const why = `Post "${hook.url}/x?timeout=1s": context deadline exceeded`;
        expect(outcome).toEqual(failed(`failed to call webhook: ${why}`));
      },
      { timeoutSeconds: 1 },
    );
  });
}

interface Asking extends HookScene {
  /** A write that the webhook is asked about. */
  readonly attempt: (options?: { readonly onWarning?: (text: string) => void }) => Promise<KubeObject>;
}

/** One webhook, called x, and writes that concern it. */
async function asking(
  scene: Scene,
  kind: "mutating" | "validating",
  run: (asking: Asking) => Promise<void>,
  more: JsonObject = {},
): Promise<void> {
  const { transport, namespace } = scene;
  const attempt = (options = {}) =>
    transport.create(configMaps, configMap({ namespace, name: "e" }, { a: "1" }), { dryRun: true, ...options });
  await withHooks(scene, { [kind]: [{ name: "x", more }] }, (hooks) => run({ ...hooks, attempt }));
}
