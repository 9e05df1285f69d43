import type { ServedKind } from "#client";
import { apiVersionOf, deepFreeze, type KubeObject, type Labels, type ObjectMeta } from "#machinery";
import { nextVersion } from "./next-version.ts";
import { StringPool } from "./string-pool.ts";

/** What is left of objects when they enter a cache. */
export interface EntranceOptions {
  /** Keeps metadata alone. */
  readonly metadataOnly?: boolean;
  /** Drops what nobody reads; must not change what it is given. */
  readonly keep?: (object: KubeObject) => KubeObject;
}

/**
 * The form in which objects of a kind are kept: without what nobody reads of them, frozen, and sharing all parts that did
 * not change with the version before. Undefined for an object of another kind.
 */
export function entranceOf<Obj extends KubeObject>(
  kind: ServedKind<Obj>,
  { metadataOnly = false, keep = (object) => object }: EntranceOptions,
): (object: KubeObject, before: Obj | undefined) => Obj | undefined {
  const names = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const shareLabels = createLabelPool();
  const texts = new StringPool();
  return (object, before) => {
    const metadata = strippedOf(object.metadata, before);
    const isWhole = metadata === object.metadata && !metadataOnly;
    const kept = keep(isWhole ? object : { ...(metadataOnly ? names : object), metadata });
    if (!kind.is(kept)) return undefined;
    // What a transport hands out frozen is frozen throughout.
    if (before === undefined) return deepFreeze(texts.intern(kept), Object.isFrozen(object) ? object : undefined);
    return nextVersion(kept, before, texts);
  };

  /** What an object shares with its last version it need not share with others. */
  function strippedOf(whole: ObjectMeta, before: Obj | undefined): ObjectMeta {
    const labels = before === undefined && whole.labels ? shareLabels(whole.labels) : whole.labels;
    if (whole.managedFields === undefined) {
      if (labels === whole.labels) return whole;
      // Whoever hands out what is not frozen has kept nothing of it.
      if (!Object.isFrozen(whole)) return Object.assign(whole, { labels });
    }
    const { managedFields: _, ...metadata } = whole;
    return labels === undefined ? metadata : { ...metadata, labels };
  }
}

// As many different sets of labels as are kept for objects to come.
const mostLabels = 4096;

/** Objects of one owner have the same labels, of which one copy is enough. */
function createLabelPool(): (labels: Labels) => Labels {
  let recent = new Map<string, Labels>();
  let older = new Map<string, Labels>();
  return (labels) => {
    const text = JSON.stringify(labels);
    // Not to be changed by whoever else has them.
    const known = recent.get(text) ?? older.get(text) ?? Object.freeze(labels);
    if (recent.size >= mostLabels) [recent, older] = [new Map(), recent];
    recent.set(text, known);
    return known;
  };
}
