import { apiVersionOf } from "#machinery";

/** A hook, whatever its version. */
export interface GroupHook {
  readonly group: string;
  readonly hook: string;
}

/** A hook in one of its versions. */
export interface GroupVersionHook extends GroupHook {
  readonly version: string;
}

/** `<group>/<version>, Hook=<hook>`. */
export function describeHook({ hook, ...groupVersion }: GroupVersionHook): string {
  return `${apiVersionOf(groupVersion)}, Hook=${hook}`;
}

/** `<Hook>.<group>`, or the hook alone where there is no group. */
export function describeGroupHook({ group, hook }: GroupHook): string {
  return group === "" ? hook : `${hook}.${group}`;
}

/** Where on a server a hook is called: the path of the hook, or that of one of its handlers. */
export function hookPath({ group, version, hook }: GroupVersionHook, handler = ""): string {
  const path = `/${group}/${version}/${hook.toLowerCase()}`;
  return handler === "" ? path : `${path}/${handler.toLowerCase()}`;
}
