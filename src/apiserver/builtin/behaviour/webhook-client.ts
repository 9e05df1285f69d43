import { type FieldError, type FieldPath, invalid, type JsonObject, required } from "#machinery";
import { isSet, numberAt, objectAt, textAt } from "../object-fields.ts";
import { subdomainProblems } from "./names.ts";

const form = "; desired format: https://host[/path]";

/** What is wrong with the address of a webhook. */
export function clientProblems(client: JsonObject, at: FieldPath): readonly FieldError[] {
  if (isSet(client, "url") === isSet(client, "service")) {
    return [required(at, "exactly one of url or service is required")];
  }
  return isSet(client, "url")
    ? urlProblems(textAt(client, "url"), at.child("url"))
    : serviceProblems(objectAt(client, "service"), at.child("service"));
}

function urlProblems(text: string, at: FieldPath): readonly FieldError[] {
  const { scheme, user, host, query, fragment } = urlParts(text);
  return [
    ...(scheme === "https" ? [] : [invalid(at, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === "" ? [invalid(at, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalid(at, user, "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [invalid(at, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [invalid(at, query, "query parameters are not permitted in the URL")]),
  ];
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

/** The parts as they were written: a parser that corrects what it reads would hide what is wrong. */
function urlParts(text: string): UrlParts {
  const [, scheme = "", authority = "", query = "", fragment = ""] =
    /^(?:([A-Za-z][\w+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  const sign = authority.lastIndexOf("@");
  return {
    scheme: scheme.toLowerCase(),
    user: sign === -1 ? undefined : authority.slice(0, sign),
    host: authority.slice(sign + 1),
    query,
    fragment,
  };
}

function serviceProblems(service: JsonObject, at: FieldPath): readonly FieldError[] {
  const port = numberAt(service, "port") ?? 0;
  // The real server hands over name and namespace the wrong way round, so that it asks for the other one.
  return [
    ...(textAt(service, "namespace") === "" ? [required(at.child("name"))] : []),
    ...(textAt(service, "name") === "" ? [required(at.child("namespace"))] : []),
    ...(port >= 1 && port <= 65_535
      ? []
      : [invalid(at.child("port"), port, "port is not valid: must be between 1 and 65535, inclusive")]),
    ...pathProblems(textAt(service, "path"), at.child("path")),
  ];
}

function pathProblems(path: string, at: FieldPath): readonly FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [invalid(at, path, "segment[0] may not be empty")];
  const unrooted = path.startsWith("/") ? [] : [invalid(at, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  const problems = steps.flatMap((step, index) =>
    step === ""
      ? [`segment[${index}] may not be empty`]
      : subdomainProblems(step).map((why) => `segment[${index}]: ${why}`),
  );
  return [...unrooted, ...problems.map((why) => invalid(at, path, why))];
}
