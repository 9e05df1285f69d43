import { ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { typeName } from "../values/type-of.ts";
import { Failure, type Result, type Value } from "../values/value.ts";
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
    const element = list.at(index);
    const going =
      loop.variable2 === undefined ? iterate(frame, loop, element) : iterate(frame, loop, BigInt(index), element);
    if (!going) return;
  }
}

function overMap(frame: Frame, loop: Loop, map: MapValue): void {
  for (const key of map.keys()) {
    const going =
      loop.variable2 === undefined ? iterate(frame, loop, key) : iterate(frame, loop, key, map.find(key) ?? null);
    if (!going) return;
  }
}

function iterate(frame: Frame, loop: Loop, first: Result, second?: Result): boolean {
  const { slots } = frame;
  slots[loop.variable] = first;
  if (loop.variable2 !== undefined && second !== undefined) slots[loop.variable2] = second;
  spendSteps(1);
  if (loop.condition !== undefined && loop.condition(frame) === false) return false;
  slots[loop.accumulator] = loop.step(frame);
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
