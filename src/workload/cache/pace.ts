import { type Duration, milliseconds } from "#base";

/** How long it is until something may be done again; undefined where it may be done at once. */
export function timeLeft(
  now: Duration,
  { last, interval }: { readonly last: Duration | undefined; readonly interval: Duration },
): Duration | undefined {
  if (last === undefined) return undefined;
  const left = interval - (now - last);
  return left > 0 ? milliseconds(left) : undefined;
}

/** The shortest of some waits, or a wait for the case that there are none. */
export function soonest(waits: readonly Duration[], otherwise: Duration): Duration {
  return waits.length === 0 ? otherwise : milliseconds(Math.min(...waits));
}
