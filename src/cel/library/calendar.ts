import { type FunctionDeclaration, method, type Overload } from "../check/declaration.ts";
import { intType } from "../check/type.ts";
import { split } from "../values/time.ts";
import { type DurationValue, Failure, type Result, type TimestampValue } from "../values/value.ts";
import { duration, string, timestamp } from "./kinds.ts";
import { inZone } from "./time-zone.ts";

/** The parts of a date and time, in UTC or in a time zone. */
export const calendar: readonly FunctionDeclaration[] = [
  { name: "getFullYear", overloads: timeParts("year", (date) => date.getUTCFullYear()) },
  { name: "getMonth", overloads: timeParts("month", (date) => date.getUTCMonth()) },
  { name: "getDayOfYear", overloads: timeParts("day_of_year", dayOfYear) },
  { name: "getDayOfMonth", overloads: timeParts("day_of_month", (date) => date.getUTCDate() - 1) },
  { name: "getDate", overloads: timeParts("day_of_month_1_based", (date) => date.getUTCDate()) },
  { name: "getDayOfWeek", overloads: timeParts("day_of_week", (date) => date.getUTCDay()) },
  {
    name: "getHours",
    overloads: [...timeParts("hours", (date) => date.getUTCHours()), spanPart("hours", 3_600_000_000_000n)],
  },
  {
    name: "getMinutes",
    overloads: [...timeParts("minutes", (date) => date.getUTCMinutes()), spanPart("minutes", 60_000_000_000n)],
  },
  {
    name: "getSeconds",
    overloads: [...timeParts("seconds", (date) => date.getUTCSeconds()), spanPart("seconds", 1_000_000_000n)],
  },
  {
    name: "getMilliseconds",
    overloads: [
      ...timeParts("milliseconds", (_, nanoseconds) => Number(nanoseconds / 1_000_000n)),
      method({
        id: "duration_to_milliseconds",
        parameters: [duration],
        result: intType,
        run: ({ nanoseconds }: DurationValue) => nanoseconds / 1_000_000n,
      }),
    ],
  },
];

type Part = (date: Date, nanoseconds: bigint) => number;

function timeParts(name: string, part: Part): readonly Overload[] {
  return [
    method({
      id: `timestamp_to_${name}`,
      parameters: [timestamp],
      result: intType,
      run: (time) => partIn(time, "UTC", part),
    }),
    method({
      id: `timestamp_to_${name}_with_tz`,
      parameters: [timestamp, string],
      result: intType,
      run: (time, zone) => partIn(time, zone, part),
    }),
  ];
}

function partIn({ nanoseconds }: TimestampValue, zone: string, part: Part): Result {
  const { seconds, rest } = split(nanoseconds);
  const date = inZone(new Date(Number(seconds) * 1000), zone);
  return date instanceof Failure ? date : BigInt(part(date, rest));
}

function spanPart(name: string, unit: bigint): Overload {
  return method({
    id: `duration_to_${name}`,
    parameters: [duration],
    result: intType,
    run: ({ nanoseconds }) => nanoseconds / unit,
  });
}

function dayOfYear(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - first.getTime()) / 86_400_000);
}
