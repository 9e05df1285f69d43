import { ContextError, createFakeClock, createLogger, parseTimestamp } from "#base";
import {
  type ContractVersionedObjectReference,
  createFromTemplate,
  type CreateFromTemplateInput,
  deleteExternal,
  failuresFrom,
  generateTemplate,
  getExternal,
  getObjectFromContractVersionedRef,
  isReady,
  type ObjectReference,
  ObjectTracker,
  type ObjectTrackerParts,
  resourceNotPaused,
} from "#contract";
import { generateName, isJsonObject, type KubeObject } from "#machinery";
import type { Adapters } from "./adapter.ts";
import { answerOf, findingOf, type RecordedObject, recordedStore, wholeObject } from "./recorded-store.ts";

/** The inputs of the operations on external objects, as the vectors record them. */
interface RecordedInputs {
  readonly get: Stored & { readonly ref?: ObjectReference };
  readonly delete: Stored & { readonly ref?: ObjectReference };
  readonly getFromContractRef: Stored & {
    readonly contractRef?: Partial<ContractVersionedObjectReference>;
    readonly namespace?: string;
  };
  readonly createFromTemplate: Stored & RecordedClone;
  readonly generateTemplate: RecordedClone & { readonly template?: RecordedObject };
  readonly failuresFrom: { readonly object: RecordedObject };
  readonly isReady: { readonly object: RecordedObject };
  readonly tracker: { readonly watches: readonly RecordedWatch[]; readonly missing?: string };
  readonly resourceNotPaused: { readonly object: RecordedObject };
  readonly generateName: { readonly base: string };
}

interface Stored {
  readonly store?: readonly RecordedObject[];
  readonly clientFail?: string;
}

interface RecordedClone extends Partial<Omit<CreateFromTemplateInput, "templateRef" | "name">> {
  readonly ref?: ObjectReference;
  readonly objectName?: string;
}

interface RecordedWatch {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly fail?: string;
}

type Operations = { readonly [Op in keyof RecordedInputs]: (input: RecordedInputs[Op]) => unknown };

const operations: Operations = {
  get: ({ ref, ...input }) => findingOf(async () => ({ object: await getExternal(storeOf(input, ["get"]), ref) })),
  delete: ({ ref, ...input }) => findingOf(() => deleteExternal(storeOf(input, ["delete"]), ref)),
  getFromContractRef: ({ contractRef, namespace = "", ...input }) =>
    findingOf(async () => ({
      object: await getObjectFromContractVersionedRef(storeOf(input, ["get"]), contractRef, { namespace }),
    })),
  createFromTemplate: ({ store = [], clientFail = "", ...clone }) =>
    findingOf(
      async () => {
        const client = storeOf({ store, clientFail }, ["create"]);
        const { object, ref } = await createFromTemplate(client, cloneFrom(clone), { random });
        return { object: withSuffix(object, clone), ref: { ...ref, name: suffixed(ref.name, clone) } };
      },
      { ref: { apiGroup: "", kind: "", name: "" } },
    ),
  generateTemplate: ({ template, ...clone }) =>
    answerOf(() => {
      const input = { ...cloneFrom(clone), templateRef: clone.ref ?? {}, template: wholeObject(template) };
      return { object: withSuffix(generateTemplate(input, { random }), clone) };
    }),
  failuresFrom: ({ object }) => answerOf(() => failuresFrom(wholeObject(object)), { reason: "", message: "" }),
  isReady: ({ object }) => answerOf(() => ({ ready: isReady(wholeObject(object)) }), { ready: false }),

  tracker: async ({ watches, missing = "" }) => {
    let calls = 0;
    let failure = "";
    const watch = async (): Promise<void> => {
      calls += 1;
      if (failure !== "") throw new ContextError(failure);
    };
    const tracker = new ObjectTracker(partsWithout(missing, watch));
    const steps: object[] = [];
    for (const { apiVersion = "", kind = "", fail = "" } of watches) {
      failure = fail;
      const answer = await answerOf(() => tracker.watch({ apiVersion, kind }, () => [], { log }));
      steps.push({ ...answer, controllerWatchCalls: calls });
    }
    return { steps };
  },
  resourceNotPaused: ({ object: recorded }) => {
    const object = wholeObject(recorded);
    const before = wholeObject({ metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } });
    return {
      create: resourceNotPaused({ kind: "added", object, initial: false }),
      update: resourceNotPaused({ kind: "changed", before, object, resync: false }),
      delete: resourceNotPaused({ kind: "deleted", object }),
      // Nothing happens here without a change; what comes nearest is that an object is shown again.
      generic: resourceNotPaused({ kind: "changed", before, object, resync: true }),
    };
  },
  generateName: ({ base }) => {
    const name = generateName(base, random);
    return { length: Buffer.byteLength(name), prefix: name.slice(0, -suffixLength) };
  },
};

const suffixLength = 5;
const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
const log = createLogger({ format: "text", level: "error", clock, destination: { write: () => true } });

/** Adapters for every operation on external objects, by its name. */
export const external: Adapters = Object.fromEntries(
  Object.entries(operations).map(([op, run]) => [
    op,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the files of vectors fix the shape of each input
    (input: unknown) => run(withoutNulls(input) as never),
  ]),
);

/** Members of the input that are null are not there; inside of objects null is a value of its own. */
function withoutNulls(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, member]) => member !== null));
}

function storeOf({ store, clientFail }: Stored, calls: readonly ("get" | "create" | "delete")[]) {
  return recordedStore(store, { text: clientFail ?? "", calls });
}

function cloneFrom({ ref, objectName = "", namespace = "", clusterName = "", ...rest }: RecordedClone) {
  return { ...rest, templateRef: ref, name: objectName, namespace, clusterName };
}

/** Chance is recorded as the literal text `<suffix>`. */
function suffixed(name: string, { objectName = "" }: RecordedClone): string {
  return objectName === "" ? `${name.slice(0, -suffixLength)}<suffix>` : name;
}

function withSuffix(object: KubeObject, clone: RecordedClone): KubeObject {
  const { metadata } = object;
  return typeof metadata === "object" && metadata?.name !== undefined
    ? { ...object, metadata: { ...metadata, name: suffixed(metadata.name, clone) } }
    : object;
}

function partsWithout(missing: string, watch: () => Promise<void>): Partial<ObjectTrackerParts> {
  const parts: ObjectTrackerParts = {
    controller: { watch },
    cache: { of: async () => undefined },
    scheme: [],
    predicateLogger: log,
  };
  return Object.fromEntries(Object.entries(parts).filter(([name]) => name.toLowerCase() !== missing.toLowerCase()));
}

function random(): number {
  return 0;
}
