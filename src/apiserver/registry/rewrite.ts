import { quote } from "#base";
import {
  ApiError,
  conflict,
  deepEqual,
  invalidObject,
  isUnchanged,
  type KubeObject,
  notFound,
  sharing,
  staleObject,
} from "#machinery";
import { type Extract, isConcerned, mutated, validated } from "./admit.ts";
import { type BodyOptions, versionRequired } from "./body.ts";
import { commit } from "./commit.ts";
import { warnOf } from "./create.ts";
import { type Engine, type Request, subresourceOf } from "./engine.ts";
import { inherited } from "./inherit.ts";
import { metadataUpdateProblems } from "./metadata-rules.ts";
import { withDistinctOwners } from "./owners.ts";
import { type Owners, tracked } from "./ownership.ts";
import type { Target } from "./resources.ts";
import { asKept, isKeptAsIs, isShownAsIs, oneShownIn } from "./versions.ts";

/** A change to an object that exists. */
export interface Rewrite {
  readonly namespace: string;
  readonly name: string;
  /** What the object shall be, made from what it is, both in the version of the request. */
  readonly next: (old: KubeObject) => KubeObject | Promise<KubeObject>;
  /** Refuses an object that is not the very one that the caller means. */
  readonly uid?: string;
  /** Found by comparing unless told otherwise. */
  readonly owners?: Owners;
  /** What plugins are shown, where that is not the object itself. */
  readonly extract?: Extract;
  /** What to do where there is no such object. */
  readonly whenAbsent?: () => Promise<KubeObject>;
}

/**
 * Changes an object. Whenever another writer gets in between, the change is made again from what is there then, until it
 * fits, or turns out to have been made from an older state.
 */
export async function rewriteObject(
  engine: Engine,
  request: Request<BodyOptions>,
  rewrite: Rewrite,
): Promise<KubeObject> {
  const { target } = request;
  const { namespace, name } = rewrite;
  const first = await tryOnce();
  if (first !== undefined) return await first.answer;
  // Many writers of one object would keep undoing each other's tries, so that those who met another one queue up.
  const { answer } = await target.collection.turns.take(`${namespace}/${name}`, async () => {
    for (;;) {
      const written = await tryOnce();
      if (written !== undefined) return written;
    }
  });
  return await answer;

  async function tryOnce(): Promise<Written | undefined> {
    const head = target.collection.head(namespace, name);
    if (head !== undefined) return await attempt(engine, request, rewrite, head);
    if (rewrite.whenAbsent !== undefined) return { answer: rewrite.whenAbsent() };
    await engine.committer.caughtUp();
    throw notFound(target.definition, name);
  }
}

/** A write that is on its way to the disk; the next writer need not wait until it is there. */
interface Written {
  readonly answer: KubeObject | Promise<KubeObject>;
}

/** One try; gives nothing when the object changed meanwhile. */
async function attempt(
  engine: Engine,
  request: Request<BodyOptions>,
  rewrite: Rewrite,
  head: KubeObject,
): Promise<Written | undefined> {
  const { target, options } = request;
  const { namespace, name } = rewrite;
  const old = isShownAsIs(target, head) ? head : await oneShownIn(target, head);
  const wanted = rewrite.next(old);
  // Whatever is the same as before is from here on the very same, which makes all later comparisons cheap.
  const proposed = sharing(wanted instanceof Promise ? await wanted : wanted, old);
  try {
    checkIdentity(target, rewrite, old);
    checkVersion(target, name, proposed, old);
  } catch (refusal) {
    // Whoever reads again because of it has to find what was in his way.
    await engine.committer.caughtUp();
    throw refusal;
  }

  // Who owns what follows from what was sent, even where this endpoint ignores it.
  const sent = withDistinctOwners(proposed, options);
  const account = rewrite.owners === "known" ? sent : tracked(engine, request, sent, old);
  const owned = account instanceof Promise ? await account : account;
  const admittance = { operation: "UPDATE", namespace, name, oldObject: old, extract: rewrite.extract } as const;
  const concerned = isConcerned(engine, request, admittance);
  // Plugins see what was sent, even where this endpoint ignores it.
  const mutant = concerned ? await mutated(engine, request, admittance, owned) : owned;
  if (mutant !== owned) checkVersion(target, name, mutant, old);
  const settled = inherited(target, subresourceOf(options), withDistinctOwners(mutant, options, "after-plugins"), old);
  const next = prepared(target, subresourceOf(options), settled, old);
  validate(target, next, old, subresourceOf(options));
  if (concerned) await validated(engine, request, admittance, next);
  warnOf(target, next, options, old);

  // An applied null passes where the schema has no type; like every null that may not be one, it is not kept.
  const unpruned = rewrite.owners === "known" || mutant !== owned;
  const clean = unpruned ? target.version.schema.prune(next, { older: old }) : next;
  const kept = isKeptAsIs(target.definition, clean) ? clean : await asKept(target.definition, clean, options);
  if (target.collection.head(namespace, name) !== head) return undefined;
  if (isUnchanged(head, kept)) return { answer: old };
  const write = { namespace, name, object: kept, previous: head };
  if (!mayGo(target, kept)) return { answer: commit(engine, request, { op: "update", ...write }) };
  return { answer: lastState(commit(engine, request, { op: "delete", ...write }), old) };
}

/** Whoever lets go of an object sees it as it was last: its end is no state of its own. */
async function lastState(deleted: Promise<KubeObject>, { metadata: old }: KubeObject): Promise<KubeObject> {
  const { metadata, ...object } = await deleted;
  const { resourceVersion = "" } = old;
  return { ...object, metadata: { ...metadata, resourceVersion } };
}

function checkIdentity({ definition }: Target, { uid, namespace, name }: Rewrite, old: KubeObject): void {
  if (uid === undefined || uid === "" || uid === old.metadata.uid) return;
  const path = ["/registry", definition.group, definition.resource, namespace, name].filter((part) => part !== "");
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ""}`;
  const error = `StorageError: invalid object, Code: 4, Key: ${path.join("/")}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  throw conflict(definition, name, error);
}

function checkVersion(target: Target, name: string, proposed: KubeObject, old: KubeObject): void {
  const { resourceVersion = "" } = proposed.metadata;
  if (resourceVersion === "" || resourceVersion === "0") {
    if (!target.definition.behaviour.unconditionalUpdate) throw versionRequired(target, name);
    return;
  }
  if (!/^\d+$/.test(resourceVersion)) throw badVersion(resourceVersion);
  if (resourceVersion !== old.metadata.resourceVersion) throw staleObject(target.definition, name);
}

function badVersion(given: string): ApiError {
  const message = `strconv.ParseUint: parsing ${quote(given)}: invalid syntax`;
  return new ApiError({ httpCode: 500, reason: "", message });
}

/** Counts the generation, and lets the kind have its say. */
function prepared(target: Target, subresource: string, object: KubeObject, old: KubeObject): KubeObject {
  const { behaviour } = target.definition;
  const next = behaviour.prepareForUpdate?.(object, old, subresource) ?? object;
  if (!behaviour.countsGenerations || subresource === "status") return next;
  const { generation = 0 } = old.metadata;
  const changed = contentDiffers(next, old, target.version.subresources.status);
  const counted = changed ? generation + 1 : generation;
  if (next.metadata.generation === counted || counted === 0) return next;
  return { ...next, metadata: { ...next.metadata, generation: counted } };
}

/** True where something besides metadata, and besides a status that has its own subresource, differs. */
function contentDiffers(a: KubeObject, b: KubeObject, ownStatus: boolean): boolean {
  const counts = (name: string) => name !== "metadata" && !(ownStatus && name === "status");
  for (const name in a) if (counts(name) && !(Object.hasOwn(b, name) && deepEqual(a[name], b[name]))) return true;
  for (const name in b) if (counts(name) && !Object.hasOwn(a, name)) return true;
  return false;
}

function validate(target: Target, next: KubeObject, old: KubeObject, subresource: string): void {
  const { definition, version } = target;
  const { schema } = version;
  // The real server checks metadata twice on the way, so that each such cause stands twice in its answer.
  const metadata = metadataUpdateProblems(definition, next.metadata, old.metadata);
  const byKind = definition.behaviour.validateUpdate?.(next, old, subresource) ?? [];
  const bySchema =
    subresource === "status" && schema.validateStatus !== undefined
      ? schema.validateStatus(next, old)
      : schema.validate(next, old);
  const problems = [...metadata, ...metadata, ...byKind, ...bySchema];
  if (problems.length > 0) throw invalidObject(definition, next.metadata.name ?? "", problems);
}

/** True for an object that was only waiting for its last finalizer. */
function mayGo({ definition }: Target, object: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && definition.behaviour.heldBack?.(object) !== true;
}
