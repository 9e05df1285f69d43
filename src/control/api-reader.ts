import type { Client } from "#client";
import type { Reader } from "./reader.ts";

/** Reads from the server itself, so that nothing is older than it was when it was asked for. */
export function apiReader(client: Client): Reader {
  return {
    get: (kind, key, options) => client.get(kind, key, options),
    async find(kind, key, options) {
      // A cache has nothing without a name, and whoever follows a reference must not care who answers.
      return key.name === "" ? undefined : await client.find(kind, key, options);
    },
    async list(kind, { indexed, ...options } = {}) {
      const { items } = await client.listAll(kind, options);
      return indexed === undefined ? items : items.filter((item) => indexed.by.valuesOf(item).includes(indexed.value));
    },
  };
}
