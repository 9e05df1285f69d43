import { describeError, type Duration, InvalidDurationError, milliseconds, parseDuration, quote, seconds } from "#base";
import {
  badRequest,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  invalidObject,
  type ListOptions,
  notSupported,
  PrintedValue,
  tooLong,
  type WatchOptions,
} from "#machinery";

const longestManager = 128;
const fieldValidations = ["", "Ignore", "Strict", "Warn"];
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** What the query of a write says, checked. */
export interface WriteQuery {
  readonly dryRun: boolean;
  readonly fieldManager: string | undefined;
  readonly fieldValidation: "Strict" | "Warn" | "Ignore" | undefined;
  readonly force: boolean | undefined;
}

/** Reads the options of a create, update or patch; `patch` tells whether `force` is allowed. */
export function readWriteQuery(
  query: URLSearchParams,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  patch: "apply" | "other" | "none" = "none",
): WriteQuery {
  const fieldManager = query.get("fieldManager") ?? undefined;
  const fieldValidation = query.get("fieldValidation") ?? "";
  const force = booleanIn(query, "force");
  const problems: FieldError[] = [];
  if (patch === "other" && force === true) {
    problems.push(forbidden(FieldPath.of("force"), "may not be specified for non-apply patch"));
  }
  problems.push(...managerProblems(fieldManager ?? ""), ...dryRunProblems(query.getAll("dryRun")));
  if (!fieldValidations.includes(fieldValidation)) {
    problems.push(notSupported(FieldPath.of("fieldValidation"), fieldValidation, fieldValidations));
  }
  refuse(kind, problems);
  return {
    dryRun: query.has("dryRun"),
    fieldManager,
    fieldValidation:
      fieldValidation === "Strict" || fieldValidation === "Warn" || fieldValidation === "Ignore"
        ? fieldValidation
        : undefined,
    force,
  };
}

/** What is wrong with the values of `dryRun`, wherever they stand. */
export function dryRunProblems(values: readonly string[]): readonly FieldError[] {
  if (values.every((value) => value === "All")) return [];
  return [notSupported(FieldPath.of("dryRun"), values, ["All"])];
}

/** Refuses options, named after the kind that they make up. */
export function refuse(kind: string, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", problems);
}

/** The options of a list. */
export function readListQuery(query: URLSearchParams): ListOptions {
  const limit = integerIn(query, "limit");
  integerIn(query, "timeoutSeconds");
  if (booleanIn(query, "sendInitialEvents") !== undefined) {
    const why = "sendInitialEvents is forbidden for list";
    refuse("ListOptions", [forbidden(FieldPath.of("sendInitialEvents"), why)]);
  }
  const token = query.get("continue") ?? "";
  return {
    ...selection(query),
    ...(limit === undefined ? {} : { limit }),
    ...(token === "" ? {} : { continue: token }),
  };
}

/** The options of a watch. */
export function readWatchQuery(query: URLSearchParams): WatchOptions {
  const timeoutSeconds = integerIn(query, "timeoutSeconds") ?? 0;
  const bookmarks = booleanIn(query, "allowWatchBookmarks");
  const initialEvents = booleanIn(query, "sendInitialEvents");
  return {
    ...selection(query),
    ...(timeoutSeconds > 0 ? { timeout: seconds(timeoutSeconds) } : {}),
    ...(bookmarks === undefined ? {} : { allowWatchBookmarks: bookmarks }),
    ...(initialEvents === undefined ? {} : { sendInitialEvents: initialEvents }),
  };
}

/** True, false, or nothing where it is not given; every text but two is true. */
export function booleanIn(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value !== "0" && value.toLowerCase() !== "false";
}

/** A number, or nothing where it is not given. */
export function integerIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
  if (!Number.isSafeInteger(Number(text))) {
    throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  }
  return Number(text);
}

/** How long a request may take; the server's own limit where it is not given, given as nothing, or longer. */
export function readTimeout(query: URLSearchParams, limit: Duration): Duration {
  const text = query.get("timeout") ?? "";
  if (text === "") return limit;
  try {
    const wanted = parseDuration(text);
    return wanted <= 0 ? limit : milliseconds(Math.min(wanted, limit));
  } catch (error) {
    if (!(error instanceof InvalidDurationError)) throw error;
    throw badRequest(`invalid timeout specified in the request URL - ${describeError(error)}`);
  }
}

function selection(query: URLSearchParams): WatchOptions {
  const text = (name: "labelSelector" | "fieldSelector" | "resourceVersion") => {
    const value = query.get(name) ?? "";
    return value === "" ? {} : { [name]: value };
  };
  const match = query.get("resourceVersionMatch") ?? "";
  return {
    ...text("labelSelector"),
    ...text("fieldSelector"),
    ...text("resourceVersion"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the registry refuses every other value by name
    ...(match === "" ? {} : { resourceVersionMatch: match as "Exact" }),
  };
}

function managerProblems(manager: string): readonly FieldError[] {
  const path = FieldPath.of("fieldManager");
  if (Buffer.byteLength(manager) > longestManager) return [tooLong(path, longestManager)];
  const position = manager.search(unprintable);
  if (position < 0) return [];
  const point = manager.codePointAt(position) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return [invalid(path, new PrintedValue(quote(manager)), `invalid character ${code} (at position ${position})`)];
}
