import type { Cluster } from "#api";
import type { SpecDraft } from "#control";

type Endpoint = NonNullable<NonNullable<Cluster["spec"]>["controlPlaneEndpoint"]>;

/** True where the endpoint says a host and a port. */
export function hasEndpoint({ controlPlaneEndpoint }: Pick<SpecDraft<Cluster>, "controlPlaneEndpoint">): boolean {
  return isWhole(controlPlaneEndpoint);
}

/** Takes over an endpoint that a provider names, if it is a whole one. */
export function takeEndpoint(spec: SpecDraft<Cluster>, endpoint: Partial<Endpoint> | undefined): void {
  if (!isWhole(endpoint)) return;
  const { host, port } = endpoint;
  spec.controlPlaneEndpoint = { host, port };
}

/** Where an API server is reached, as a kubeconfig names it. */
export function serverAt({ host = "", port = 0 }: Partial<Endpoint>): string {
  return `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function isWhole(
  endpoint: Partial<Endpoint> | undefined,
): endpoint is { readonly host: string; readonly port: number } {
  return endpoint?.host !== undefined && endpoint.host !== "" && endpoint.port !== undefined && endpoint.port !== 0;
}
