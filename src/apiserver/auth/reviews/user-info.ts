import type { Caller } from "#apiserver/admission";
import type { JsonObject } from "#machinery";

/** A caller as reviews and the audit log show it: `UserInfo`. */
export function userInfo({ name, uid = "", groups, extra = {} }: Caller): JsonObject {
  const keys = Object.keys(extra).toSorted();
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(keys.length === 0 ? {} : { extra: Object.fromEntries(keys.map((key) => [key, extra[key] ?? []])) }),
  };
}
