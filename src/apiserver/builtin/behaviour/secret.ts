import { type FieldError, FieldPath, invalid, type JsonObject, type KubeObject, required, tooLong } from "#machinery";
import { objectAt, textAt } from "../object-fields.ts";
import { frozenProblems } from "./config-map.ts";
import { decodedBytes, keyProblems, mostBytes } from "./config-keys.ts";
import type { KindRules } from "./kind-rules.ts";

const accountName = "kubernetes.io/service-account.name";
const data = FieldPath.of("data");

export const secret: KindRules = {
  selectableFields: ["type"],
  behaviour: {
    validate: contentProblems,
    validateUpdate: (object, old) => [
      ...typeProblems(object, old),
      ...frozenProblems(object, old, ["data"]),
      ...contentProblems(object),
    ],
  },
};

function typeProblems(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const type = textAt(object, "type");
  return type === textAt(old, "type") ? [] : [invalid(FieldPath.of("type"), type, "field is immutable")];
}

function contentProblems(object: KubeObject): readonly FieldError[] {
  const content = objectAt(object, "data");
  return [
    ...keyProblems(content, data),
    ...(decodedBytes(content) > mostBytes ? [tooLong(data, mostBytes)] : []),
    ...missingParts(object, content),
  ];
}

/** What a secret of a known type has to hold. */
function missingParts(object: KubeObject, content: JsonObject): readonly FieldError[] {
  const lacks = (...keys: readonly string[]) => keys.filter((key) => !Object.hasOwn(content, key));
  switch (textAt(object, "type")) {
    case "kubernetes.io/service-account-token": {
      const named = (object.metadata.annotations?.[accountName] ?? "") !== "";
      return named ? [] : [required(FieldPath.of("metadata", "annotations").key(accountName))];
    }
    case "kubernetes.io/dockercfg":
      return dockerProblems(content, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return dockerProblems(content, ".dockerconfigjson");
    case "kubernetes.io/basic-auth": {
      const lacking = lacks("username", "password");
      return lacking.length === 2 ? requireKeys(lacking) : [];
    }
    case "kubernetes.io/ssh-auth":
      return textAt(content, "ssh-privatekey") === "" ? requireKeys(["ssh-privatekey"]) : [];
    case "kubernetes.io/tls":
      return requireKeys(lacks("tls.crt", "tls.key"));
    default:
      return [];
  }
}

function requireKeys(keys: readonly string[]): readonly FieldError[] {
  return keys.map((key) => required(data.key(key)));
}

function dockerProblems(content: JsonObject, key: string): readonly FieldError[] {
  if (!Object.hasOwn(content, key)) return [required(data.key(key))];
  const problem = jsonProblem(Buffer.from(textAt(content, key), "base64").toString("utf8"));
  return problem === undefined ? [] : [invalid(data.key(key), "<secret contents redacted>", problem)];
}

function jsonProblem(text: string): string | undefined {
  if (text === "") return "unexpected end of JSON input";
  try {
    const parsed: unknown = JSON.parse(text);
    const fits = typeof parsed === "object" && !Array.isArray(parsed);
    return fits ? undefined : "json: cannot unmarshal into Go value of type map[string]interface {}";
  } catch {
    // What exactly is wrong must not be told: the text is a secret.
    return "invalid character in JSON input";
  }
}
