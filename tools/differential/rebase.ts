import type { KubeObject, ManagedFieldsEntry } from "#machinery";
import type { Operation, Write } from "./write.ts";

/**
 * A write that was made up for one server's object, for the same object of another: an update carries that object's
 * own uid, resourceVersion and times, and a patch finds the same manager wherever its entry stands there.
 */
export function rebased(write: Write, from: KubeObject, to: KubeObject): Write {
  switch (write.kind) {
    case "update":
      return { ...write, body: { ...write.body, metadata: to.metadata } };
    case "json-patch":
      return { ...write, patch: write.patch.map((operation) => rebasedOperation(operation, from, to)) };
    case "create":
    case "apply":
    case "merge-patch":
      return write;
  }
}

function rebasedOperation(operation: Operation, from: KubeObject, to: KubeObject): Operation {
  const [, index, rest = ""] = /^\/metadata\/managedFields\/(\d+)(.*)$/.exec(operation.path) ?? [];
  if (index === undefined) return operation;
  const meant = from.metadata.managedFields?.[Number(index)];
  const at = to.metadata.managedFields?.findIndex((entry) => meant !== undefined && keyOf(entry) === keyOf(meant));
  return { ...operation, path: `/metadata/managedFields/${at ?? -1}${rest}` };
}

function keyOf({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return [manager, operation, apiVersion, subresource].join(" ");
}
