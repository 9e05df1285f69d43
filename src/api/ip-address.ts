import { defineKind, type ObjectOf, s } from "#machinery";
import { age, textColumn } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { conditions, deprecated } from "./shapes/condition.ts";
import { contractReference, nameReference } from "./shapes/references.ts";
import { clusterName, name } from "./shapes/texts.ts";

const poolRef = contractReference.describe("The pool of addresses.");
const poolColumns = [textColumn("Pool Name", ".spec.poolRef.name"), textColumn("Pool Kind", ".spec.poolRef.kind")];

/** An address that was given to a claim. */
export const IPAddress = defineKind({
  group: groups.ipam,
  version: "v1beta2",
  kind: "IPAddress",
  plural: "ipaddresses",
  categories: [category],
  description: "An address that a pool has given to a claim.",
  columns: [textColumn("Address", ".spec.address"), ...poolColumns, age],
  fields: {
    spec: s
      .object({
        claimRef: nameReference.describe("The IPAddressClaim that asked for it."),
        poolRef,
        address: name(39).describe("The address, IPv4 or IPv6."),
        prefix: s.integer({ minimum: 0, maximum: 128 }).describe("The length of the network's prefix."),
        gateway: name(39).describe("The gateway of the network.").optional(),
      })
      .describe("The address; it cannot be changed."),
  },
});

export type IPAddress = ObjectOf<typeof IPAddress>;

/** Asks a pool for an address. */
export const IPAddressClaim = defineKind({
  group: groups.ipam,
  version: "v1beta2",
  kind: "IPAddressClaim",
  plural: "ipaddressclaims",
  categories: [category],
  description: "Asks a pool for an address.",
  columns: [...poolColumns, age],
  hasStatus: true,
  fields: {
    spec: s
      .object({ clusterName: clusterName.describe("The Cluster that the address is for.").optional(), poolRef })
      .describe("What is wished; it cannot be changed."),
    status: s
      .object(
        { conditions, addressRef: nameReference.describe("The IPAddress that was given.").optional(), deprecated },
        { minProperties: 1 },
      )
      .describe("What the pool's controller has found out.")
      .optional(),
  },
});

export type IPAddressClaim = ObjectOf<typeof IPAddressClaim>;
