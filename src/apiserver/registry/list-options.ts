import {
  type FieldError,
  FieldPath,
  forbidden,
  invalidObject,
  type ListOptions,
  notSupported,
  type WatchOptions,
} from "#machinery";

const match = FieldPath.of("resourceVersionMatch");

/** Refuses options of a list that contradict each other. */
export function checkListOptions(options: ListOptions): void {
  refuse(listProblems(options));
}

/** Refuses options of a watch that contradict each other. */
export function checkWatchOptions(options: WatchOptions): void {
  const { resourceVersionMatch, sendInitialEvents } = options;
  if (sendInitialEvents === undefined) {
    const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    refuse(resourceVersionMatch === undefined ? [] : [forbidden(match, why)]);
    return;
  }
  const problems: FieldError[] = [];
  if (resourceVersionMatch !== "NotOlderThan") {
    problems.push(forbidden(match, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    if (resourceVersionMatch !== undefined) problems.push(notSupported(match, resourceVersionMatch, ["NotOlderThan"]));
  }
  refuse(problems);
}

function listProblems({
  resourceVersion = "",
  resourceVersionMatch,
  continue: token = "",
}: ListOptions): readonly FieldError[] {
  if (resourceVersionMatch === undefined) return [];
  const problems: FieldError[] = [];
  if (token !== "") problems.push(forbidden(match, "resourceVersionMatch is forbidden when continue is provided"));
  if (resourceVersion === "") {
    problems.push(forbidden(match, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if (!["Exact", "NotOlderThan"].includes(resourceVersionMatch)) {
    problems.push(notSupported(match, resourceVersionMatch, ["Exact", "NotOlderThan", ""]));
  }
  if (resourceVersionMatch === "Exact" && resourceVersion === "0") {
    problems.push(forbidden(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return problems;
}

function refuse(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", problems);
}
