/**
 * The same value, with every part that equals its counterpart in an older value taken from there. Whoever compares the
 * two afterwards finds equal parts by identity, and both together take little more memory than one.
 */
export function sharing<T>(value: T, older: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes back equals what went in
  return shared(value, older) as T;
}

function shared(value: unknown, older: unknown): unknown {
  if (value === older || typeof value !== "object" || typeof older !== "object") return value;
  if (value === null || older === null) return value;
  if (Array.isArray(value)) return Array.isArray(older) ? sharedList(value, older) : value;
  return Array.isArray(older) ? value : sharedObject(value, older);
}

function sharedList(value: readonly unknown[], older: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  let isSame = value.length === older.length;
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    const part = shared(item, older[index]);
    if (part !== older[index]) isSame = false;
    if (part !== item) (copy ??= value.slice())[index] = part;
  }
  return isSame ? older : (copy ?? value);
}

function sharedObject(value: object, older: object): object {
  const keys = Object.keys(value);
  let copy: object | undefined;
  let isSame = keys.length === Object.keys(older).length;
  for (const key of keys) {
    const item: unknown = Reflect.get(value, key);
    const before: unknown = Object.hasOwn(older, key) ? Reflect.get(older, key) : undefined;
    const part = shared(item, before);
    if (part !== before) isSame = false;
    // A key such as __proto__ is data here: it exists in the copy already, so that this only replaces its value.
    if (part !== item) Object.defineProperty((copy ??= { ...value }), key, { value: part });
  }
  return isSame ? older : (copy ?? value);
}
