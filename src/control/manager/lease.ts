import type { Client, ServedKind } from "#client";
import { isNotFound, type KubeObject, microTimeOf, type ObjectKey } from "#machinery";

/** Says who leads, and until when nobody else may. */
export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

const leaseKind: ServedKind<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: { group: "coordination.k8s.io", version: "v1", resource: "leases" },
  namespaced: true,
  is: (object): object is Lease => object.apiVersion === "coordination.k8s.io/v1" && object.kind === "Lease",
};

/** Who writes a lease, and what he says. */
export interface Claim {
  readonly identity: string;
  readonly durationSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The lease of a name, on a server. */
export class LeaseLock {
  readonly #client: Pick<Client, "get" | "create" | "update">;
  readonly key: ObjectKey;

  constructor(client: Pick<Client, "get" | "create" | "update">, key: ObjectKey) {
    this.#client = client;
    this.key = key;
  }

  async find(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#client.get(leaseKind, this.key, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Fails where somebody else was first. */
  async create({ identity, durationSeconds, now }: Claim, signal: AbortSignal): Promise<Lease> {
    const time = microTimeOf(now);
    const spec: LeaseSpec = {
      holderIdentity: identity,
      leaseDurationSeconds: durationSeconds,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: 0,
    };
    const object: Lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: this.key, spec };
    return await this.#client.create(leaseKind, object, { signal });
  }

  /** Takes or renews the lease in the version that was seen; fails where anybody has written since. */
  async claim(seen: Lease, { identity, durationSeconds, now }: Claim, signal: AbortSignal): Promise<Lease> {
    const time = microTimeOf(now);
    const isOurs = seen.spec?.holderIdentity === identity;
    const transitions = seen.spec?.leaseTransitions ?? 0;
    return await this.#write(
      seen,
      {
        holderIdentity: identity,
        leaseDurationSeconds: durationSeconds,
        acquireTime: isOurs ? (seen.spec?.acquireTime ?? time) : time,
        renewTime: time,
        leaseTransitions: isOurs ? transitions : transitions + 1,
      },
      signal,
    );
  }

  /** Lets go of the lease, so that whoever waits need not wait for its end. */
  async release(seen: Lease, now: number, signal: AbortSignal): Promise<void> {
    const time = microTimeOf(now);
    const { leaseTransitions = 0 } = seen.spec ?? {};
    const spec = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions };
    await this.#write(seen, spec, signal);
  }

  async #write(seen: Lease, spec: LeaseSpec, signal: AbortSignal): Promise<Lease> {
    return await this.#client.update(leaseKind, { ...seen, spec }, { signal });
  }
}
