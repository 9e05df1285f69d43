/**
 * Puts the items of a merged list in order. Those that the patch names stand as the patch has them, the others as the
 * server had them; between the two the server's order decides where it knows both, and the patch goes first where not.
 */
export function inElementOrder<T>(
  items: readonly T[],
  identityOf: (item: T) => string,
  orders: { readonly patch: readonly string[]; readonly server: readonly string[] },
): readonly T[] {
  const [inPatch, onServer] = [positions(orders.patch), positions(orders.server)];
  const identified = items.map((item) => ({ item, identity: identityOf(item) }));
  const patched = sorted(
    identified.filter(({ identity }) => inPatch.has(identity)),
    inPatch,
  );
  const untouched = sorted(
    identified.filter(({ identity }) => !inPatch.has(identity)),
    onServer,
  );
  const ordered: T[] = [];
  let next = 0;
  for (const { item, identity } of patched) {
    const position = onServer.get(identity);
    for (let other = untouched[next]; other !== undefined; other = untouched[next]) {
      const otherPosition = onServer.get(other.identity);
      const isBefore = position !== undefined && otherPosition !== undefined && otherPosition < position;
      if (!isBefore) break;
      ordered.push(other.item);
      next++;
    }
    ordered.push(item);
  }
  return [...ordered, ...untouched.slice(next).map(({ item }) => item)];
}

function positions(order: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [index, identity] of order.entries()) {
    if (!found.has(identity)) found.set(identity, index);
  }
  return found;
}

function sorted<I extends { readonly identity: string }>(items: I[], order: ReadonlyMap<string, number>): readonly I[] {
  const last = order.size;
  return items.toSorted((a, b) => (order.get(a.identity) ?? last) - (order.get(b.identity) ?? last));
}
