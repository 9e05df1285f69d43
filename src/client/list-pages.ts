import { type GroupVersionResource, hasReason, type KubeList, type ListOptions, type Transport } from "#machinery";

/** Which objects to list, in pages of `limit`. */
export type PageOptions = Omit<ListOptions, "continue">;

/** As many as Kubernetes' own clients ask for at once. */
export const defaultPageSize = 500;

/** All objects of a collection, page by page, all of them from the same state of the server. */
export async function* listPages(
  transport: Pick<Transport, "list">,
  resource: GroupVersionResource,
  options: PageOptions = {},
): AsyncGenerator<KubeList> {
  const { resourceVersion, resourceVersionMatch, ...everyPage } = { limit: defaultPageSize, ...options };
  const start = {
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(resourceVersionMatch === undefined ? {} : { resourceVersionMatch }),
  };
  let page = await transport.list(resource, { ...everyPage, ...start });
  yield page;
  // The token alone says which state it goes on with.
  while ((page.metadata.continue ?? "") !== "") {
    page = await transport.list(resource, { ...everyPage, continue: page.metadata.continue ?? "" });
    yield page;
  }
}

/** All objects of a collection at once; read in pages, so that the server never has to hold them all. */
export async function listAll(
  transport: Pick<Transport, "list">,
  resource: GroupVersionResource,
  options: PageOptions = {},
): Promise<KubeList> {
  const pages: KubeList[] = [];
  try {
    for await (const page of listPages(transport, resource, options)) pages.push(page);
  } catch (error) {
    // The state that the pages come from was dropped meanwhile: one large answer is better than none.
    if (pages.length === 0 || !hasReason(error, "Expired")) throw error;
    const { limit: _, ...whole } = options;
    return await transport.list(resource, whole);
  }
  const [first] = pages;
  if (first === undefined || pages.length === 1) return first ?? noPage();
  const { continue: _, remainingItemCount: __, ...metadata } = first.metadata;
  return { ...first, metadata, items: pages.flatMap(({ items }) => items) };
}

function noPage(): never {
  throw new Error("a list has at least one page");
}
