import { annotations } from "#api";
import type { GroupVersionHook } from "#extensions";
import type { ObjectMeta } from "#machinery";

type Annotated = Pick<ObjectMeta, "annotations">;

/** Whether somebody noted that a hook has to be called for an object. */
export function isHookPending({ annotations: noted }: Annotated, { hook }: GroupVersionHook): boolean {
  return pendingHooks(noted).includes(hook);
}

/** The annotations of an object for which a hook has been called to the end. */
export function withoutPendingHook(
  { annotations: noted }: Annotated,
  { hook }: GroupVersionHook,
): Readonly<Record<string, string>> {
  const { [annotations.pendingHooks]: _, ...rest } = noted ?? {};
  const left = pendingHooks(noted).filter((pending) => pending !== hook);
  return left.length === 0 ? rest : { ...rest, [annotations.pendingHooks]: left.join(",") };
}

function pendingHooks(noted: Annotated["annotations"]): readonly string[] {
  return (noted?.[annotations.pendingHooks] ?? "").split(",").filter((hook) => hook !== "");
}
