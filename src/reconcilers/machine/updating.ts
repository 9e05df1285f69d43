import { defineCondition, False, finds, nothing, otherwise, row, True } from "#conditions";
import type { MachineFacts } from "./machine-facts.ts";

/** Tells whether the Machine is being changed in place. */
export const Updating = defineCondition({
  of: "Machine",
  type: "Updating",
  polarity: "negative",
  summary: "Tells whether the Machine is being updated in place.",
  reasons: ["NotUpdating", "InPlaceUpdating", "InPlaceUpdateFailed"],
  rows: [
    row({
      id: "failed",
      when: finds("the update in place failed", ({ update }: MachineFacts) =>
        update.kind === "failed" ? { message: update.message } : undefined,
      ),
      ensure: nothing("the update is tried again"),
      report: (update) => True("InPlaceUpdateFailed", update.message),
    }),
    row({
      id: "updating",
      when: finds("an update in place is under way", ({ update }: MachineFacts) =>
        update.kind === "in-progress" ? { message: update.message } : undefined,
      ),
      ensure: nothing("the UpdateMachine hook does it"),
      report: (update) => True("InPlaceUpdating", update.message),
    }),
  ],
  otherwise: otherwise({
    id: "not-updating",
    when: "no update in place is under way",
    ensure: nothing("nobody asked for one"),
    report: False("NotUpdating"),
  }),
});
