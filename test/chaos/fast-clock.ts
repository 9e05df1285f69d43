import { type Clock, type Duration, milliseconds, systemClock, timestampOf } from "#base";

/** A clock that runs faster than that of the machine, and that a test can set. */
export interface FastClock extends Clock {
  /** As a machine does that slept: nobody was woken meanwhile. */
  jumpAhead(duration: Duration): void;
  /** As a machine does whose date was set: no time has passed. */
  setDateBack(duration: Duration): void;
}

/** Networks take their own time; with this clock, waiting for a while before a new try takes little of it. */
export function fastClock(times: number): FastClock {
  let jumped = 0;
  let date = 0;
  const elapsed = (): number => systemClock.elapsed() * times + jumped;
  const start = systemClock.instant();
  const instant = (): number => Math.round(start + elapsed() + date);
  return {
    now: () => timestampOf(instant()),
    instant,
    elapsed: () => milliseconds(elapsed()),
    sleep: (duration, options) => systemClock.sleep(milliseconds(duration / times), options),
    jumpAhead(duration) {
      jumped += duration;
    },
    setDateBack(duration) {
      date -= duration;
    },
  };
}
