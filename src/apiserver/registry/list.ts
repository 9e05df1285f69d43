import { apiVersionOf, expired, type KubeList, type KubeObject, type ListOptions } from "#machinery";
import { anyRevision, type ContinueToken, readToken, writeToken } from "./continue-token.ts";
import type { Engine, Request } from "./engine.ts";
import { checkListOptions } from "./list-options.ts";
import type { Target } from "./resources.ts";
import { awaitRevision, parseRevision } from "./revisions.ts";
import { filterOf } from "./select.ts";
import { storedState } from "./stored-state.ts";
import { shownIn } from "./versions.ts";

/** The state of a resource at one revision. */
interface Snapshot {
  readonly revision: number;
  readonly objects: readonly KubeObject[];
}

/** Lists objects in the order of `namespace/name`, all of one revision. */
export async function listObjects(engine: Engine, request: Request<ListOptions>): Promise<KubeList> {
  const { target, options } = request;
  checkListOptions(options);
  const filter = filterOf(target, options);
  const token = options.continue === undefined || options.continue === "" ? undefined : readToken(options.continue);
  const { revision, objects } = await snapshot(engine, request, token);
  const { matches, name } = filter;
  const named = name === undefined ? objects : objects.filter((object) => object.metadata.name === name);
  const matching = matches === undefined ? named : named.filter((object) => matches(object));
  const rest = token === undefined ? matching : matching.filter((object) => isBehind(object, token.after));
  // A list at "any" revision comes out of a cache on the real server, which knows no pages.
  const limit = options.resourceVersion === "0" && token === undefined ? 0 : (options.limit ?? 0);
  const page = limit > 0 ? rest.slice(0, limit) : rest;
  const items = await shownIn(target, page);
  const left = rest.length - page.length;
  return {
    apiVersion: apiVersionOf({ group: target.definition.group, version: target.version.version }),
    kind: target.definition.listKind,
    metadata: {
      resourceVersion: String(revision),
      ...(left > 0 ? { continue: tokenAfter(page, revision) } : {}),
      ...(left > 0 && matches === undefined ? { remainingItemCount: left } : {}),
    },
    items,
  };
}

async function snapshot(
  engine: Engine,
  { target, options }: Request<ListOptions>,
  token: ContinueToken | undefined,
): Promise<Snapshot> {
  const namespace = options.namespace === "" ? undefined : options.namespace;
  if (token !== undefined && token.revision > 0) {
    return { revision: token.revision, objects: stateAt(engine, target, token.revision, namespace, token) };
  }
  const wanted = parseRevision(options.resourceVersion) ?? 0;
  if (wanted > engine.committer.published) await awaitRevision(engine, wanted, options.signal);
  if (options.resourceVersionMatch === "Exact") {
    return { revision: wanted, objects: stateAt(engine, target, wanted, namespace) };
  }
  return { revision: engine.committer.published, objects: target.collection.list(namespace) };
}

/** What there was at a revision: from memory if that goes back far enough, else from the store. */
function stateAt(
  engine: Engine,
  { collection }: Target,
  revision: number,
  namespace: string | undefined,
  token?: ContinueToken,
): readonly KubeObject[] {
  const remembered = collection.listAt(revision, namespace);
  if (remembered !== undefined) return remembered;
  if (revision < engine.store.compacted) throw tooOld(token);
  return storedState(engine.store, collection, revision, namespace);
}

function tooOld(token: ContinueToken | undefined): Error {
  if (token === undefined) return expired("The resourceVersion for the provided list is too old.");
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  // Revision 0 stands for "whatever is there now".
  return expired(message, writeToken({ ...token, revision: anyRevision }));
}

function tokenAfter(page: readonly KubeObject[], revision: number): string {
  const { namespace = "", name = "" } = page.at(-1)?.metadata ?? {};
  return writeToken({ revision, after: { namespace, name } });
}

function isBehind({ metadata }: KubeObject, after: ContinueToken["after"]): boolean {
  const { namespace = "", name = "" } = metadata;
  return `${namespace}/${name}` > `${after.namespace}/${after.name}`;
}
