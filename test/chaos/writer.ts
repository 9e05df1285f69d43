import { isNotFound, type KubeObject, type Transport } from "#machinery";

export const configMaps = { group: "", version: "v1", resource: "configmaps" };
export const namespace = "default";

/** Somebody who creates, changes and deletes objects at random, always in the same way for the same seed. */
export class Writer {
  readonly #transport: () => Transport;
  readonly random: () => number;
  #count = 0;

  constructor(transport: () => Transport, seed: number) {
    this.#transport = transport;
    this.random = numbersFrom(seed);
  }

  async write(times: number): Promise<void> {
    for (let left = times; left > 0; left -= 1) await this.#writeOnce();
  }

  async #writeOnce(): Promise<void> {
    this.#count += 1;
    const transport = this.#transport();
    const key = { namespace, name: `object-${Math.floor(this.random() * 20)}` };
    if (this.random() < 0.3) {
      await transport.delete(configMaps, key).catch(ignoreMissing);
      return;
    }
    const data = { count: String(this.#count), ballast: "x".repeat(Math.floor(this.random() * 3000)) };
    const changed = await transport.patch(configMaps, key, { kind: "merge", patch: { data } }).catch(ignoreMissing);
    if (changed === undefined) await transport.create(configMaps, configMap(key.name, data));
  }
}

export function configMap(name: string, data: { readonly [key: string]: string }): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
}

function ignoreMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Numbers from 0 up to 1, the same ones for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
