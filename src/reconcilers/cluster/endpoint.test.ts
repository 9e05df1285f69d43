import { expect, test } from "vitest";
import { hasEndpoint, serverAt, takeEndpoint } from "./endpoint.ts";

type Endpoint = { readonly host?: string; readonly port?: number };

test.each<[endpoint: Endpoint | undefined, isWhole: boolean]>([
  [undefined, false],
  [{}, false],
  [{ host: "h" }, false],
  [{ port: 1 }, false],
  [{ host: "", port: 1 }, false],
  [{ host: "h", port: 0 }, false],
  [{ host: "h", port: 6443 }, true],
])("an endpoint of %o is taken as a whole or not at all", (endpoint, isWhole) => {
  expect(hasEndpoint(endpoint === undefined ? {} : { controlPlaneEndpoint: endpoint })).toBe(isWhole);
  const spec = {};
  takeEndpoint(spec, endpoint);
  expect(spec).toEqual(isWhole ? { controlPlaneEndpoint: endpoint } : {});
});

test.each([
  [{ host: "cluster.test", port: 6443 }, "https://cluster.test:6443"],
  [{ host: "10.0.0.1", port: 443 }, "https://10.0.0.1:443"],
  [{ host: "fd00::1", port: 6443 }, "https://[fd00::1]:6443"],
])("the server at %o", (endpoint, server) => {
  expect(serverAt(endpoint)).toBe(server);
});
