import {
  deepEqual,
  fieldAt,
  type GroupVersionResource,
  isJsonObject,
  isNotFound,
  keyOf,
  type KubeObject,
  type ObjectKey,
  type Transport,
} from "#machinery";

/** What a manager did to an object, told by what changed. */
export type Write =
  | { readonly kind: "created" }
  | { readonly kind: "deleted" }
  /** A condition was set. */
  | { readonly kind: "condition"; readonly type: string; readonly status: string; readonly reason: string }
  /** Other fields were changed, such as `metadata.finalizers` or `status.phase`. */
  | { readonly kind: "changed"; readonly fields: readonly string[] };

/** One object that was written, and what was done to it. */
export interface RecordedWrite {
  readonly object: string;
  readonly key: ObjectKey;
  readonly write: Write;
}

/** What is expected of a write that sets a condition. */
export function condition(type: string, status: string, reason: string): Write {
  return { kind: "condition", type, status, reason };
}

/** The same transport, which writes down what each write changed. */
export function recordWrites(transport: Transport, record: (write: RecordedWrite) => void): Transport {
  return {
    get: (resource, key, options) => transport.get(resource, key, options),
    list: (resource, options) => transport.list(resource, options),
    watch: (resource, options) => transport.watch(resource, options),
    discover: (options) => transport.discover(options),
    deleteCollection: (resource, options) => transport.deleteCollection(resource, options),
    async create(resource, object, options) {
      const created = await transport.create(resource, object, options);
      if (options?.subresource === undefined) note(created, [{ kind: "created" }]);
      return created;
    },
    update: (resource, object, options) =>
      compared(resource, keyOf(object), () => transport.update(resource, object, options)),
    patch: (resource, key, patch, options) =>
      compared(resource, key, () => transport.patch(resource, key, patch, options)),
    apply: (resource, object, options) =>
      compared(resource, keyOf(object), () => transport.apply(resource, object, options)),
    async delete(resource, key, options) {
      const before = await find(resource, key);
      const answer = await transport.delete(resource, key, options);
      if (before !== undefined) note(before, [{ kind: "deleted" }]);
      return answer;
    },
  };

  async function compared(
    resource: GroupVersionResource,
    key: ObjectKey,
    write: () => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const before = await find(resource, key);
    const after = await write();
    note(after, before === undefined ? [{ kind: "created" }] : changesBetween(before, after));
    return after;
  }

  async function find(resource: GroupVersionResource, key: ObjectKey): Promise<KubeObject | undefined> {
    try {
      return await transport.get(resource, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  function note(object: KubeObject, writes: readonly Write[]): void {
    for (const write of writes) record({ object: object.kind, key: keyOf(object), write });
  }
}

function changesBetween(before: KubeObject, after: KubeObject): readonly Write[] {
  const conditions = conditionsOf(after)
    .filter((one) => !conditionsOf(before).some((other) => deepEqual(one, other)))
    .map((one) => condition(text(one, "type"), text(one, "status"), text(one, "reason")));
  const fields = ["metadata", "spec", "status", "data"].flatMap((part) => changedFields(part, before, after));
  return [...conditions, ...(fields.length === 0 ? [] : [{ kind: "changed", fields } as const])];
}

// What comes along with every change says nothing about the change.
const alongside = new Set([
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.managedFields",
  "status.conditions",
  "status.observedGeneration",
]);

function changedFields(part: string, before: KubeObject, after: KubeObject): readonly string[] {
  const [old, now] = [fieldAt(before, part), fieldAt(after, part)];
  const names = new Set([
    ...(isJsonObject(old) ? Object.keys(old) : []),
    ...(isJsonObject(now) ? Object.keys(now) : []),
  ]);
  return [...names]
    .filter((name) => !deepEqual(fieldAt(old, name), fieldAt(now, name)))
    .map((name) => `${part}.${name}`)
    .filter((field) => !alongside.has(field))
    .toSorted();
}

function conditionsOf(object: KubeObject): readonly unknown[] {
  const conditions = fieldAt(object, "status", "conditions");
  return Array.isArray(conditions) ? conditions : [];
}

/** The text of a field, or an empty one. */
export function text(value: unknown, name: string): string {
  const found = fieldAt(value, name);
  return typeof found === "string" ? found : "";
}
