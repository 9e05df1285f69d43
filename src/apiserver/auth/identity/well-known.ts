import type { Caller } from "#apiserver/admission";

export const authenticated = "system:authenticated";
export const unauthenticated = "system:unauthenticated";

/** Names the credential that a caller showed, in `extra`. */
export const credentialId = "authentication.kubernetes.io/credential-id";

/** Who shows no credentials. */
export const anonymous: Caller = { name: "system:anonymous", groups: [unauthenticated] };

/** A caller who has shown good credentials. */
export function asAuthenticated(caller: Caller): Caller {
  const { groups } = caller;
  return groups.includes(authenticated) ? caller : { ...caller, groups: [...groups, authenticated] };
}
