import { decodeJson, isJsonObject, type Json } from "#machinery";

const volatile = new Set(["managedFields", "resourceVersion"]);

/** An answer without what differs from run to run and from server to server. */
export function stable(answer: Json): Json {
  const text = JSON.stringify(pruned(answer))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>")
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>")
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+\//g, "<issuer>");
  return decodeJson(Buffer.from(text)).value;
}

/** Rules of a review come in any order. */
function pruned(value: Json): Json {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !volatile.has(name))
      .map(([name, member]) => [
        name,
        name.endsWith("Rules") && Array.isArray(member) ? sorted(member) : pruned(member),
      ]),
  );
}

function sorted(members: readonly Json[]): Json {
  return members.map((member) => pruned(member)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
