import { wrap } from "#base";
import { compareSemanticVersions, type KubeObject, parseSemanticVersion, type SemanticVersion } from "#machinery";
import { pathText } from "./contract-path.ts";
import { controlPlane } from "./control-plane.ts";
import { ContractError } from "./errors.ts";
import type { FieldAccessor } from "./field-accessor.ts";

/** True until a control plane reports a version for the first time. */
export function isProvisioning(object: KubeObject): boolean {
  return (statusVersionOf(object) ?? "") === "";
}

/** True while a control plane wants a newer version than it reports, or another build of the same one. */
export function isUpgrading(object: KubeObject): boolean {
  const wanted = parsed(specVersionOf(object), "spec");
  const reported = statusVersionOf(object);
  return reported !== undefined && isAhead(wanted, parsed(reported, "status"));
}

/** True while the replicas that a control plane wants are not all there, up to date, ready and available. */
export function isScaling(object: KubeObject, contractVersion: string): boolean {
  const wanted = required(controlPlane.replicas);
  const counted = [controlPlane.statusReplicas, controlPlane.upToDateReplicas, controlPlane.readyReplicas].map(
    (field) => read(field.in(contractVersion)),
  );
  return [...counted, available()].some((count) => count !== wanted);

  function available(): number | undefined {
    if (contractVersion !== "v1beta1") return read(controlPlane.availableReplicas);
    // Older control planes leave a count of 0 away.
    return wanted - (read(controlPlane.unavailableReplicas) ?? 0);
  }

  function required(field: FieldAccessor<number>): number {
    const count = read(field);
    if (count === undefined) throw missing(field, `failed to get control plane ${pathText(field.path)}`);
    return count;
  }

  function read(field: FieldAccessor<number>): number | undefined {
    return readField(field, object, `failed to get control plane ${pathText(field.path)}`);
  }
}

function specVersionOf(object: KubeObject): string {
  const doing = "failed to get control plane spec version";
  const version = readField(controlPlane.version, object, doing);
  if (version === undefined) throw missing(controlPlane.version, doing);
  return version;
}

function statusVersionOf(object: KubeObject): string | undefined {
  return readField(controlPlane.statusVersion, object, "failed to get control plane status version");
}

function readField<Value>(field: FieldAccessor<Value>, object: KubeObject, doing: string): Value | undefined {
  try {
    return field.get(object);
  } catch (error) {
    throw wrap(error, doing);
  }
}

function missing(field: FieldAccessor<unknown>, doing: string): Error {
  return wrap(new ContractError(`path .${pathText(field.path)}: field not found`), doing);
}

function parsed(text: string, where: "spec" | "status"): SemanticVersion {
  const version = parseSemanticVersion(text);
  if (version === undefined)
    throw new ContractError(`failed to parse control plane ${where} version: ${text} is no version`);
  return version;
}

function isAhead(wanted: SemanticVersion, reported: SemanticVersion): boolean {
  const difference = compareSemanticVersions(wanted, reported);
  return difference === 0 ? isOtherBuild(wanted.build, reported.build) : difference > 0;
}

/** Builds that are numbered have an order; of any others only a difference can be told, and it counts. */
function isOtherBuild(wanted: readonly string[], reported: readonly string[]): boolean {
  for (const [index, part] of wanted.entries()) {
    const other = reported[index];
    if (other === undefined) return true;
    if (part === other) continue;
    const [isNumber, otherIsNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (isNumber && otherIsNumber && Number(part) === Number(other)) continue;
    return isNumber ? otherIsNumber && Number(part) > Number(other) : true;
  }
  return false;
}
