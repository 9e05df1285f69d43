import {
  badRequest,
  type DeleteOptions,
  fieldAt,
  type FieldError,
  FieldPath,
  invalid,
  isJsonObject,
  type Json,
  notSupported,
} from "#machinery";
import { booleanIn, dryRunProblems, integerIn, refuse } from "./query-options.ts";

/** What a delete asks for. */
export interface DeleteQuery {
  readonly options: DeleteOptions;
  /** True where the caller said that dependents are not to be left alone: the answer then says "accepted". */
  readonly cascading: boolean;
}

interface Given {
  readonly dryRun: readonly string[];
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: DeleteOptions["preconditions"];
}

const policies = ["Foreground", "Background", "Orphan"] as const;

/** Reads the options of a delete: from the body where there is one, from the query otherwise. */
export function readDeleteOptions(query: URLSearchParams, body: Json | undefined): DeleteQuery {
  const given = body === undefined ? fromQuery(query) : fromBody(body);
  refuse("DeleteOptions", problemsOf(given));
  const { dryRun, orphanDependents, gracePeriodSeconds, preconditions } = given;
  const orphaning = orphanDependents === undefined ? undefined : orphanDependents ? "Orphan" : "Background";
  const policy = policies.find((each) => each === given.propagationPolicy) ?? orphaning;
  return {
    options: {
      ...(dryRun.length === 0 ? {} : { dryRun: true }),
      ...(policy === undefined ? {} : { propagationPolicy: policy }),
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(preconditions === undefined ? {} : { preconditions }),
    },
    cascading: orphanDependents === false,
  };
}

function fromQuery(query: URLSearchParams): Given {
  return {
    dryRun: query.getAll("dryRun"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    orphanDependents: booleanIn(query, "orphanDependents"),
    gracePeriodSeconds: integerIn(query, "gracePeriodSeconds"),
    preconditions: undefined,
  };
}

function fromBody(body: Json): Given {
  if (!isJsonObject(body)) throw badRequest("couldn't get version/kind; json parse error: an object was expected");
  const kind = body["kind"] ?? "DeleteOptions";
  if (kind !== "DeleteOptions") {
    const version = typeof body["apiVersion"] === "string" ? body["apiVersion"] : "";
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)}`);
  }
  const { dryRun, propagationPolicy, orphanDependents, gracePeriodSeconds } = body;
  const [uid, resourceVersion] = [
    fieldAt(body, "preconditions", "uid"),
    fieldAt(body, "preconditions", "resourceVersion"),
  ];
  return {
    dryRun: Array.isArray(dryRun) ? dryRun.map(String) : [],
    propagationPolicy: typeof propagationPolicy === "string" ? propagationPolicy : undefined,
    orphanDependents: typeof orphanDependents === "boolean" ? orphanDependents : undefined,
    gracePeriodSeconds: typeof gracePeriodSeconds === "number" ? gracePeriodSeconds : undefined,
    preconditions: {
      ...(typeof uid === "string" ? { uid } : {}),
      ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
    },
  };
}

function problemsOf({ propagationPolicy, orphanDependents, dryRun }: Given): readonly FieldError[] {
  const path = FieldPath.of("propagationPolicy");
  const problems: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    problems.push(invalid(path, propagationPolicy, "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (propagationPolicy !== undefined && policies.every((policy) => policy !== propagationPolicy)) {
    problems.push(notSupported(path, propagationPolicy, [...policies, "nil"]));
  }
  return [...problems, ...dryRunProblems(dryRun)];
}
