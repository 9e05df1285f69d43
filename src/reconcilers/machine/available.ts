import { between, type Duration, milliseconds, requeueAfter, seconds } from "#base";
import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import type { AvailableFacts } from "./machine-facts.ts";

/** Tells whether the Machine has been ready for as long as it has to be. */
export const Available = defineCondition({
  of: "Machine",
  type: "Available",
  summary: "Tells whether the Machine has been Ready for spec.minReadySeconds.",
  reasons: ["Available", "NotReady", "WaitingForMinReadySeconds", "InternalError"],
  rows: [
    row({
      id: "ready-missing",
      when: holds("Ready is not reported", ({ ready }: AvailableFacts) => ready.kind === "missing"),
      ensure: nothing("Ready is judged before this"),
      report: Unknown("InternalError", "Ready condition must be set before setting the available condition"),
    }),
    row({
      id: "not-ready",
      when: holds("Ready is not True", ({ ready }: AvailableFacts) => ready.kind === "reported" && !ready.isTrue),
      ensure: nothing("a Machine that is not ready is not available"),
      report: False("NotReady"),
    }),
    row({
      id: "waiting",
      when: finds("Ready is True for less than spec.minReadySeconds", left),
      ensure: nothing("time will tell"),
      report: False("WaitingForMinReadySeconds"),
      next: (wait) => requeueAfter(wait.left, "minReadySeconds are not over"),
    }),
  ],
  otherwise: otherwise({
    id: "available",
    when: "Ready is True for at least spec.minReadySeconds",
    ensure: nothing("a Machine that has been ready for long enough is available"),
    report: True("Available"),
  }),
});

function left({ now, ready, minReadySeconds }: AvailableFacts): { readonly left: Duration } | undefined {
  if (ready.kind === "missing" || !ready.isTrue || ready.since === undefined) return undefined;
  // Ready may have become so in this very pass, in a second that began after the pass did.
  const passed = Math.max(0, between(ready.since, now));
  const wanted = seconds(minReadySeconds);
  return passed < wanted ? { left: milliseconds(wanted - passed) } : undefined;
}
