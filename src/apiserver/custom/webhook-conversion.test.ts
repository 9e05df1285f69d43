import { expect, test } from "vitest";
import type { DefinitionConversion, KubeObject } from "#machinery";
import { conversionOf } from "./webhook-conversion.ts";

const object = (apiVersion: string): KubeObject => ({ apiVersion, kind: "Widget", metadata: { name: "a" } });
const webhook = (clientConfig: object): DefinitionConversion => ({ strategy: "Webhook", webhook: { clientConfig } });

test("without a webhook the version is all that changes", () => {
  expect(conversionOf({ strategy: "None" })).toEqual({ kind: "none" });
});

test.each([
  [
    { service: { namespace: "n", name: "s", path: "/convert", port: 8443 } },
    'conversion webhook for ex.io/v1, Kind=Widget failed: Post "https://s.n.svc:8443/convert?timeout=30s": service "s" not found',
  ],
  [
    { url: "https://ex.io/convert" },
    'conversion webhook for ex.io/v1, Kind=Widget failed: Post "https://ex.io/convert?timeout=30s": webhooks are not called by this server',
  ],
])("objects that would have to be converted by %o are refused", async (clientConfig, message) => {
  const conversion = conversionOf(webhook(clientConfig));
  if (conversion.kind === "none") throw new Error("nobody is called");
  const objects = [object("ex.io/v2"), object("ex.io/v1")];
  await expect(conversion.convert(objects, "ex.io/v2", {})).rejects.toMatchObject({ httpCode: 500, message });
  expect(await conversion.convert([object("ex.io/v2")], "ex.io/v2", {})).toEqual([object("ex.io/v2")]);
});
