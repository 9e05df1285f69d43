import { quote } from "#base";
import { fieldAt, isJsonObject, type KubeObject } from "#machinery";
import { CalloutError } from "./errors.ts";

/** Where to connect to. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** A service as a webhook configuration names it. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface ServiceAddressesOptions {
  /** Where the operator says that services are, by `namespace/name`. */
  readonly known: ReadonlyMap<string, HostAndPort>;
  /** The stored Service. */
  readonly find: (namespace: string, name: string) => KubeObject | undefined;
}

const thisMachine = "127.0.0.1";

/**
 * Finds what answers for a service. There is no network of pods behind this server: what the operator has not said is
 * taken to run on this machine, on the port that the stored Service leads to.
 */
export function addressOf(
  { known, find }: ServiceAddressesOptions,
  { namespace, name, port }: ServiceReference,
): HostAndPort {
  const told = known.get(`${namespace}/${name}`);
  if (told !== undefined) return told;
  const service = find(namespace, name);
  if (service === undefined) throw new CalloutError(`service ${quote(name)} not found`);
  const external = fieldAt(service, "spec", "externalName");
  if (fieldAt(service, "spec", "type") === "ExternalName" && typeof external === "string")
    return { host: external, port };
  return { host: thisMachine, port: targetPort(service, port) };
}

function targetPort(service: KubeObject, port: number): number {
  const ports = fieldAt(service, "spec", "ports");
  const entry = Array.isArray(ports) ? ports.find((each) => isJsonObject(each) && each["port"] === port) : undefined;
  if (entry === undefined) {
    throw new CalloutError(`no service port ${port} found for service ${quote(service.metadata.name ?? "")}`);
  }
  const target = fieldAt(entry, "targetPort");
  // A port that goes by a name is known to a container alone.
  return typeof target === "number" && target > 0 ? target : port;
}
