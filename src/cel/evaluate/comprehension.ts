import { ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { typeName } from "../values/type-of.ts";
import { Failure, type Value } from "../values/value.ts";
import { spendSteps } from "../values/work.ts";
import type { Frame, Plan, Step } from "./frame.ts";

interface Loop {
  readonly range: Step;
  readonly initial: Step;
  /** None where the loop always runs to its end. */
  readonly condition: Step | undefined;
  readonly step: Step;
  readonly result: Step;
  /** Where in the frame the variables are. */
  readonly accumulator: number;
  readonly variable: number;
  readonly variable2: number | undefined;
}

/** Runs over a list or over the keys of a map, gathering a result. */
export function planComprehension(loop: Loop): Plan {
  return {
    kind: "step",
    run: (frame) => {
      const range = loop.range(frame);
      if (range instanceof Failure) return range;
      const initial = loop.initial(frame);
      frame.slots[loop.accumulator] = initial;
      if (range instanceof ListValue) overList(frame, loop, range);
      else if (range instanceof MapValue) overMap(frame, loop, range);
      else return new Failure(`got '${goName(range)}', expected iterable type`);
      return loop.result(frame);
    },
  };
}

function overList(frame: Frame, loop: Loop, list: ListValue): void {
  const { size } = list;
  for (let index = 0; index < size; index++) {
    if (loop.variable2 === undefined) frame.slots[loop.variable] = list.at(index);
    else {
      frame.slots[loop.variable] = BigInt(index);
      frame.slots[loop.variable2] = list.at(index);
    }
    if (!iterate(frame, loop)) return;
  }
}

function overMap(frame: Frame, loop: Loop, map: MapValue): void {
  for (const key of map.keys()) {
    frame.slots[loop.variable] = key;
    if (loop.variable2 !== undefined) frame.slots[loop.variable2] = map.find(key) ?? null;
    if (!iterate(frame, loop)) return;
  }
}

/** One round with the variables set; false when the loop is over. */
function iterate(frame: Frame, { condition, step, accumulator }: Loop): boolean {
  spendSteps(1);
  if (condition !== undefined && condition(frame) === false) return false;
  frame.slots[accumulator] = step(frame);
  return true;
}

const goNames: Readonly<Record<string, string>> = {
  bool: "types.Bool",
  int: "types.Int",
  uint: "types.Uint",
  double: "types.Double",
  string: "types.String",
  bytes: "types.Bytes",
  null_type: "types.Null",
  "google.protobuf.Duration": "types.Duration",
  "google.protobuf.Timestamp": "types.Timestamp",
  type: "*types.Type",
  optional_type: "*types.Optional",
};

function goName(value: Value): string {
  const name = typeName(value);
  return goNames[name] ?? name;
}
