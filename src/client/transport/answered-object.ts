import {
  deepFreeze,
  fieldAt,
  isJsonObject,
  type KubeList,
  type KubeObject,
  type Json,
  type ListOptions,
  type Status,
} from "#machinery";
import { MalformedAnswerError } from "../errors.ts";
import { isStatus } from "./refusal.ts";

/** True for what has the form of an object of any kind. */
export function isKubeObject(value: unknown): value is KubeObject {
  return (
    typeof fieldAt(value, "apiVersion") === "string" &&
    typeof fieldAt(value, "kind") === "string" &&
    isJsonObject(fieldAt(value, "metadata"))
  );
}

/** The object that a server answered, frozen. */
export function answeredObject(answer: Json, question: string): KubeObject {
  if (isKubeObject(answer)) return deepFreeze(answer);
  throw new MalformedAnswerError(`${question}: the answer is not an object with apiVersion, kind and metadata`);
}

/** The list that a server answered, frozen unless asked for otherwise. Its members get the apiVersion and kind that built-in ones come without. */
export function answeredList(
  answer: Json,
  question: string,
  { unfrozen = false }: Pick<ListOptions, "unfrozen"> = {},
): KubeList {
  const { apiVersion, kind, metadata, items = [] } = isJsonObject(answer) ? answer : {};
  // A collection without members may have none at all.
  const members: unknown = items ?? [];
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !Array.isArray(members))
    throw new MalformedAnswerError(`${question}: the answer is not a list`);
  const itemKind = kind.endsWith("List") ? kind.slice(0, -"List".length) : kind;
  const complete = members.map((item: unknown) => {
    const object = isJsonObject(item) && item["kind"] === undefined ? { apiVersion, kind: itemKind, ...item } : item;
    if (!isKubeObject(object)) throw new MalformedAnswerError(`${question}: a member of the list is not an object`);
    return object;
  });
  const list = { apiVersion, kind, metadata: isJsonObject(metadata) ? metadata : {}, items: complete };
  return unfrozen ? list : deepFreeze(list);
}

/** What a deletion was answered with. */
export function answeredDeletion(answer: Json, question: string): KubeObject | Status {
  return isStatus(answer) ? deepFreeze(answer) : answeredObject(answer, question);
}

/** What the deletion of a collection was answered with; a server that only says that it worked gives an empty list. */
export function answeredDeletions(answer: Json, question: string): KubeList {
  if (isStatus(answer)) return deepFreeze({ apiVersion: "v1", kind: "List", metadata: {}, items: [] });
  return answeredList(answer, question);
}
