import {
  compareApiVersions,
  compatibleVersions,
  contractReferenceTo,
  type ContractPath,
  type ContractVersionedObjectReference,
  definitionName,
  DefinitionMetadataError,
  getApiVersion,
  getContractVersion,
  getContractVersionForVersion,
  getDefinitionMetadata,
  groupKindOf,
  isDefined,
  isParentPath,
  isSamePath,
  latestContractAndApiVersion,
  type ObjectReference,
  pathsOverlap,
  pathText,
  referenceTo,
  updateReferenceApiContract,
} from "#contract";
import { describeGroupKind, type GroupKind, kindOf, type Labels } from "#machinery";
import type { Adapters } from "./adapter.ts";
import { answerOf, findingOf, type RecordedObject, recordedStore, wholeObject } from "./recorded-store.ts";

/** The inputs of the operations on contracts, as the vectors record them. */
interface RecordedInputs {
  readonly crdName: GroupKind;
  readonly compatibleVersions: { readonly currentContractVersion: string };
  readonly latest: { readonly currentContractVersion: string; readonly labels?: Labels | null; readonly kind: string };
  readonly getContractVersion: RecordedDefinition;
  readonly getAPIVersion: RecordedDefinition;
  readonly getContractVersionForVersion: RecordedDefinition & { readonly version: string };
  readonly getGKMetadata: RecordedDefinition;
  readonly updateReferenceAPIContract: Omit<RecordedDefinition, keyof GroupKind> & { readonly ref: ObjectReference };
  readonly compareVersions: { readonly a: string; readonly b: string };
  readonly path: { readonly pathA?: ContractPath | null; readonly pathB?: ContractPath | null };
  readonly isDefined: { readonly contractRef?: Partial<ContractVersionedObjectReference> };
  readonly objToContractRef: { readonly object: RecordedObject };
}

interface RecordedDefinition extends GroupKind {
  readonly labels?: Labels | null;
  readonly noCRD?: boolean;
}

type Operations = { readonly [Op in keyof RecordedInputs]: (input: RecordedInputs[Op]) => unknown };

const operations: Operations = {
  crdName: (groupKind) => ({ result: definitionName(groupKind) }),
  compatibleVersions: ({ currentContractVersion }) => ({ resultSorted: compatibleVersions(currentContractVersion) }),
  latest: ({ currentContractVersion, labels, kind }) =>
    answerOf(() => latestContractAndApiVersion({ name: kind, labels: labels ?? {} }, currentContractVersion), {
      contractVersion: "",
      apiVersion: "",
    }),
  getContractVersion: (input) =>
    findingOf(async () => ({ result: await getContractVersion(storeOf(input), kindIn(input)) }), { result: "" }),
  getAPIVersion: (input) =>
    answerOf(async () => ({ result: await getApiVersion(storeOf(input), kindIn(input)) }), { result: "" }),
  getContractVersionForVersion: ({ version, ...input }) =>
    answerOf(
      async () => ({ result: await getContractVersionForVersion(storeOf(input), { ...kindIn(input), version }) }),
      { result: "" },
    ),
  getGKMetadata: (input) => {
    let objectName = "";
    return findingOf(async () => {
      try {
        objectName = (await getDefinitionMetadata(storeOf(input), kindIn(input))).name ?? "";
      } catch (error) {
        if (error instanceof DefinitionMetadataError) objectName = error.definition;
        throw error;
      }
    }).then((finding) => ({ ...finding, objectName }));
  },
  updateReferenceAPIContract: ({ ref, ...input }) => {
    const { apiVersion = "", kind = "" } = ref;
    const groupKind = { group: kindOf({ apiVersion }).group, kind };
    return answerOf(
      async () => {
        const updated = await updateReferenceApiContract(storeOf({ ...input, ...groupKind }), ref);
        return { apiVersion: updated.apiVersion, kind };
      },
      { apiVersion, kind },
    );
  },
  compareVersions: ({ a, b }) => ({ sign: Math.sign(compareApiVersions(a, b)) }),
  path: ({ pathA, pathB }) => {
    const [a, b] = [pathA ?? [], pathB ?? []];
    return {
      equal: isSamePath(a, b),
      isParentOf: isParentPath(a, b),
      overlaps: pathsOverlap(a, b),
      string: pathText(a),
    };
  },
  isDefined: ({ contractRef }) => ({
    isDefined: isDefined(contractRef),
    groupKind: describeGroupKind(groupKindOf(contractRef ?? {})),
  }),
  objToContractRef: ({ object }) => ({
    objectReference: referenceTo(wholeObject(object)),
    contractRef: contractReferenceTo(wholeObject(object)),
  }),
};

/** Adapters for every operation on contracts, by its name. */
export const contract: Adapters = Object.fromEntries(
  Object.entries(operations).map(([op, run]) => [
    op,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the files of vectors fix the shape of each input
    (input: unknown) => run(input as never),
  ]),
);

/** One definition, named by the rule, or none. */
function storeOf({ labels, noCRD = false, ...groupKind }: RecordedDefinition) {
  const metadata = { name: definitionName(groupKind), labels: labels ?? {} };
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata };
  return recordedStore(noCRD ? [] : [definition]);
}

function kindIn({ group, kind }: GroupKind): GroupKind {
  return { group, kind };
}
