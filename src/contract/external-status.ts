import { quote } from "#base";
import { describeKind, kindOf, type KubeObject } from "#machinery";
import { ContractError } from "./errors.ts";
import { nestedFlag, nestedText } from "./nested-field.ts";

/** What an object says about a failure that needs somebody's help; empty texts where it says nothing. */
export interface Failures {
  readonly reason: string;
  readonly message: string;
}

/** Reads `status.failureReason` and `status.failureMessage`. */
export function failuresFrom(object: KubeObject): Failures {
  return { reason: failureField(object, "failureReason"), message: failureField(object, "failureMessage") };
}

/** True where `status.ready` is there and true. */
export function isReady(object: KubeObject): boolean {
  try {
    return nestedFlag(object, ["status", "ready"]) ?? false;
  } catch (cause) {
    throw new ContractError(`failed to determine ${describe(object)} readiness`, { cause });
  }
}

function failureField(object: KubeObject, name: "failureReason" | "failureMessage"): string {
  try {
    return nestedText(object, ["status", name]) ?? "";
  } catch (cause) {
    throw new ContractError(`failed to determine ${name} on ${describe(object)}`, { cause });
  }
}

function describe(object: KubeObject): string {
  return `${describeKind(kindOf(object))} ${quote(object.metadata.name ?? "")}`;
}
