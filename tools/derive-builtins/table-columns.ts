import { fieldAt, type Json } from "#machinery";
import type { RealServer } from "./real-server.ts";
import type { ServedKind } from "./served-kinds.ts";

/** Name, type, format and priority of each column in which the server prints a kind, by resource. */
export async function tableColumns(
  server: RealServer,
  kinds: readonly ServedKind[],
): Promise<ReadonlyMap<string, readonly Json[]>> {
  const columns = new Map<string, readonly Json[]>();
  for (const { group, version, resource, verbs } of kinds) {
    const name = group === "" ? resource : `${resource}.${group}`;
    if (!verbs.includes("list") || columns.has(name)) continue;
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await server.ask(`${path}/${resource}?limit=1`, { accept });
    const definitions = fieldAt(JSON.parse(body.toString("utf8")), "columnDefinitions");
    columns.set(name, (Array.isArray(definitions) ? definitions : []).map(readColumn));
  }
  return columns;
}

function readColumn(definition: unknown): Json {
  const text = (name: string) => String(fieldAt(definition, name));
  return [text("name"), text("type"), text("format"), Number(fieldAt(definition, "priority"))];
}
