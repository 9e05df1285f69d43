import type { DeleteOptions, JsonObject, WriteOptions } from "#machinery";

type Given = Pick<
  WriteOptions & DeleteOptions,
  "dryRun" | "fieldManager" | "fieldValidation" | "gracePeriodSeconds" | "preconditions" | "propagationPolicy"
>;

const kinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" } as const;

/** How something is to be done, as an object of Kubernetes; only what the caller said is in it. */
export function operationOptions(
  operation: keyof typeof kinds,
  options: { readonly [Name in keyof Given]: Given[Name] | undefined },
): JsonObject {
  const {
    dryRun,
    fieldManager = "",
    fieldValidation,
    gracePeriodSeconds,
    preconditions = {},
    propagationPolicy,
  } = options;
  return {
    kind: kinds[operation],
    apiVersion: "meta.k8s.io/v1",
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions: { ...preconditions } }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
    ...(fieldManager === "" || operation === "DELETE" ? {} : { fieldManager }),
    ...(fieldValidation === undefined || operation === "DELETE" ? {} : { fieldValidation }),
  };
}
