import { contractLabel, contractVersion } from "#api";
import { bracketed, quote, wrap } from "#base";
import type { ReadOptions } from "#control";
import { apiVersionOf, compareVersions, type GroupKind, type ObjectMeta } from "#machinery";
import { getDefinitionMetadata } from "./definition-metadata.ts";
import { ContractVersionError } from "./errors.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type ObjectReference, referencedKind } from "./references.ts";

/** A version of the contract, and the newest version of a kind that fulfils it. */
export interface ContractAndApiVersion {
  readonly contractVersion: string;
  /** Without the group. */
  readonly apiVersion: string;
}

const olderThan: ReadonlyMap<string, string> = new Map([["v1beta2", "v1beta1"]]);

const labelHelp = "https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview.html#api-version-labels";

/** The versions of the contract that one of them understands, the newest first. */
export function compatibleVersions(current: string): readonly string[] {
  const older = olderThan.get(current);
  return (older === undefined ? [current] : [current, older]).toSorted(compareVersions);
}

/** Above 0 where the first version is the newer one; names that are no Kubernetes versions are older than all others. */
export function compareApiVersions(a: string, b: string): number {
  return compareVersions(b, a);
}

/** The newest contract that a kind fulfils, as far as `current` understands it, and in which version, by its labels. */
export function latestContractAndApiVersion(metadata: ObjectMeta, current: string): ContractAndApiVersion {
  if (current === "") throw new ContractVersionError("current contract version cannot be empty");
  const contracts = compatibleVersions(current);
  for (const contract of contracts) {
    const versions = versionsOf(metadata, contractLabel(contract));
    const [newest] = versions.toSorted(compareVersions);
    if (newest !== undefined) return { contractVersion: contract, apiVersion: newest };
  }
  throw new ContractVersionError(
    `cannot find any versions matching contract versions ${bracketed(contracts.map(quote))} for CRD ` +
      `${metadata.name ?? ""} as contract version label(s) are either missing or empty (see ${labelHelp})`,
  );
}

/** The newest contract that a kind fulfils. */
export async function getContractVersion(
  reader: ObjectReader,
  groupKind: GroupKind,
  options?: ReadOptions,
): Promise<string> {
  try {
    return (await latestOf(reader, groupKind, options)).contractVersion;
  } catch (error) {
    throw wrap(error, `failed to get contract version for kind ${groupKind.kind}`);
  }
}

/** The newest version of a kind that fulfils the contract, with its group. */
export async function getApiVersion(
  reader: ObjectReader,
  groupKind: GroupKind,
  options?: ReadOptions,
): Promise<string> {
  try {
    const { apiVersion: version } = await latestOf(reader, groupKind, options);
    return apiVersionOf({ group: groupKind.group, version });
  } catch (error) {
    throw wrap(error, `failed to get apiVersion for kind ${groupKind.kind}`);
  }
}

/** The contract that one version of a kind fulfils; the newest, where labels name it for several. */
export async function getContractVersionForVersion(
  reader: ObjectReader,
  { version, ...groupKind }: GroupKind & { readonly version: string },
  options?: ReadOptions,
): Promise<string> {
  const metadata = await metadataFor();
  const prefix = contractLabel("");
  const contracts = Object.entries(metadata.labels ?? {})
    .filter(([label, versions]) => label.startsWith(prefix) && versions.split("_").includes(version))
    .map(([label]) => label.slice(prefix.length));
  const [newest] = contracts.toSorted(compareVersions);
  if (newest !== undefined) return newest;
  throw new ContractVersionError(
    `cannot find any contract version matching version ${version} for CRD ${metadata.name ?? ""}`,
  );

  async function metadataFor(): Promise<ObjectMeta> {
    try {
      return await getDefinitionMetadata(reader, groupKind, options);
    } catch (error) {
      throw wrap(error, `failed to get contract version for version ${version} for kind ${groupKind.kind}`);
    }
  }
}

/** The reference in the newest version that fulfils the contract, whether that is above or below its own. */
export async function updateReferenceApiContract<Ref extends ObjectReference>(
  reader: ObjectReader,
  ref: Ref,
  options?: ReadOptions,
): Promise<Ref & { readonly apiVersion: string }> {
  const { group, kind } = referencedKind(ref);
  try {
    const { apiVersion: version } = await latestOf(reader, { group, kind }, options);
    return { ...ref, apiVersion: apiVersionOf({ group, version }) };
  } catch (error) {
    throw wrap(error, "failed to update apiVersion in ref");
  }
}

async function latestOf(
  reader: ObjectReader,
  groupKind: GroupKind,
  options?: ReadOptions,
): Promise<ContractAndApiVersion> {
  return currentContractAndApiVersion(await getDefinitionMetadata(reader, groupKind, options));
}

const current = new WeakMap<ObjectMeta, ContractAndApiVersion>();

/** The same for the contract of this program; what a cache holds does not change, so that it is found out once. */
export function currentContractAndApiVersion(metadata: ObjectMeta): ContractAndApiVersion {
  const known = current.get(metadata) ?? latestContractAndApiVersion(metadata, contractVersion);
  current.set(metadata, known);
  return known;
}

/** An empty label names no version; an underscore too many names the empty one. */
function versionsOf({ labels = {} }: ObjectMeta, label: string): readonly string[] {
  const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
  return value === undefined || value === "" ? [] : value.split("_");
}
