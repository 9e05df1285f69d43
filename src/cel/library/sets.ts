import { type FunctionDeclaration, overload } from "../check/declaration.ts";
import { boolType } from "../check/type.ts";
import type { ListValue } from "../values/list.ts";
import { Failure, type Result } from "../values/value.ts";
import { isInList } from "./basics.ts";
import { A, listOfSome } from "./kinds.ts";

const list = listOfSome(A);

/** Lists taken as sets. */
export const sets: readonly FunctionDeclaration[] = [
  {
    name: "sets.contains",
    overloads: [overload({ id: "list_sets_contains_list", parameters: [list, list], result: boolType, run: contains })],
  },
  {
    name: "sets.equivalent",
    overloads: [
      overload({
        id: "list_sets_equivalent_list",
        parameters: [list, list],
        result: boolType,
        run: (a, b) => {
          const first = contains(a, b);
          return first === true ? contains(b, a) : first;
        },
      }),
    ],
  },
  {
    name: "sets.intersects",
    overloads: [
      overload({ id: "list_sets_intersects_list", parameters: [list, list], result: boolType, run: intersects }),
    ],
  },
];

function contains(whole: ListValue, part: ListValue): Result {
  for (let index = 0; index < part.size; index++) {
    const item = part.at(index);
    const found = item instanceof Failure ? item : isInList(item, whole);
    if (found !== true) return found;
  }
  return true;
}

function intersects(a: ListValue, b: ListValue): Result {
  for (let index = 0; index < a.size; index++) {
    const item = a.at(index);
    if (!(item instanceof Failure) && isInList(item, b) === true) return true;
  }
  return false;
}
