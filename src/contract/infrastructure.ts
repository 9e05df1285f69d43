import type { FailureDomain } from "#api";
import { isJsonObject, type KubeObject } from "#machinery";
import type { ContractPath } from "./contract-path.ts";
import { type FieldAccessor, fieldAt, metadataAt } from "./field-accessor.ts";
import {
  type FieldType,
  type FieldValue,
  flag,
  integer,
  listOf,
  oneOf,
  recordOf,
  text,
  textMap,
} from "./field-type.ts";
import { wrongType } from "./nested-field.ts";

/** Failures that v1beta1 reported for good; they go away with it. */
export const failureFields = {
  failureReason: fieldAt(["status", "failureReason"], text),
  failureMessage: fieldAt(["status", "failureMessage"], text),
} as const;

const endpoint = recordOf({}, { host: text, port: integer });

/** Where the API server of a workload cluster is reached. */
export type Endpoint = FieldValue<typeof endpoint>;

const address = recordOf({
  type: oneOf(["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"]),
  address: text,
});

/** One of the addresses of a machine. */
export type MachineAddress = FieldValue<typeof address>;

const domain = recordOf({ name: text }, { controlPlane: flag, attributes: textMap });
const domainInMap = recordOf({}, { controlPlane: flag, attributes: textMap });

/** The parts of the infrastructure that can fail on their own, by name, so that the same ones always read the same. */
const failureDomains: FieldType<readonly FailureDomain[]> = {
  read: (value, at) => sorted(listOf(domain).read(value, at)),
  write: (domains) => listOf(domain).write(domains),
};

/** The same in contract v1beta1: a map by name. */
const failureDomainMap: FieldType<readonly FailureDomain[]> = {
  read(value, at) {
    if (!isJsonObject(value)) throw wrongType(at, value, "map[string]interface{}");
    return sorted(Object.entries(value).map(([name, item]) => ({ ...domainInMap.read(item, `${at}.${name}`), name })));
  },
  write: (domains) => Object.fromEntries(domains.map(({ name, ...item }) => [name, domainInMap.write(item)])),
};

const provisioned = fieldAt(["status", "initialization", "provisioned"], flag, { path: ["status", "ready"] });

/** Where infrastructure clusters and control planes say how their API server is reached. */
export const controlPlaneEndpoint = fieldAt(["spec", "controlPlaneEndpoint"], endpoint);

/** The fields of an infrastructure cluster. */
export const infraCluster = {
  controlPlaneEndpoint,
  provisioned,
  failureDomains: fieldAt(["status", "failureDomains"], failureDomains, { type: failureDomainMap }),
  ...failureFields,
} as const;

/** The fields of an infrastructure machine. */
export const infraMachine = {
  providerID: fieldAt(["spec", "providerID"], text),
  provisioned,
  addresses: fieldAt(["status", "addresses"], listOf(address)),
  failureDomain: fieldAt(["status", "failureDomain"], text, { path: ["spec", "failureDomain"] }),
  /** The infrastructure may take the machine away at any time. */
  interruptible: fieldAt(["status", "interruptible"], flag),
  ...failureFields,
} as const;

/** The fields of an infrastructure machine pool. */
export const infraMachinePool = {
  providerID: fieldAt(["spec", "providerID"], text),
  providerIDList: fieldAt(["spec", "providerIDList"], listOf(text)),
  provisioned,
  replicas: fieldAt(["status", "replicas"], integer),
  infrastructureMachineKind: fieldAt(["status", "infrastructureMachineKind"], text),
  ...failureFields,
} as const;

/** The fields of a template of whatever kind. */
export const template = { metadata: metadataAt(["spec", "template", "metadata"]) } as const;

/**
 * The parts of an endpoint that are there and say nothing. Whoever writes the rest of the object leaves them alone, or it
 * would undo what the provider fills in.
 */
export function emptyEndpointPaths(object: KubeObject): readonly ContractPath[] {
  const { path } = controlPlaneEndpoint;
  const host: FieldAccessor<string> = fieldAt([...path, "host"], text);
  const port: FieldAccessor<number> = fieldAt([...path, "port"], integer);
  return [...(host.get(object) === "" ? [host.path] : []), ...(port.get(object) === 0 ? [port.path] : [])];
}

function sorted(domains: readonly FailureDomain[]): readonly FailureDomain[] {
  return domains
    .map((one) => ({ ...one, controlPlane: one.controlPlane ?? false }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
