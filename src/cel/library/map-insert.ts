import { type FunctionDeclaration, overload } from "../check/declaration.ts";
import { mapType } from "../check/type.ts";
import type { MapValue } from "../values/map.ts";
import { PlainMap } from "../values/map.ts";
import { Failure, type Result, type Value } from "../values/value.ts";
import { A, B, mapOfSome, some } from "./kinds.ts";

const map = mapOfSome(A, B);

/** What transformMap and transformMapEntry gather their result with. */
export const mapInsert: readonly FunctionDeclaration[] = [
  {
    name: "cel.@mapInsert",
    overloads: [
      overload({
        id: "@mapInsert_map_key_value",
        parameters: [map, some(A), some(B)],
        result: mapType(A, B),
        run: insert,
      }),
      overload({ id: "@mapInsert_map_map", parameters: [map, map], result: mapType(A, B), run: insertAll }),
    ],
  },
];

function insert(into: MapValue, key: Value, value: Value): Result {
  return into instanceof PlainMap ? into.insert(key, value) : new Failure("no such overload");
}

function insertAll(into: MapValue, from: MapValue): Result {
  let gathered: Result = into;
  for (const key of from.keys()) {
    const value = from.find(key) ?? null;
    if (value instanceof Failure) return value;
    if (!(gathered instanceof PlainMap)) return new Failure("no such overload");
    gathered = gathered.insert(key, value);
  }
  return gathered;
}
