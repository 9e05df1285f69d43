import { requeueAfter, retry, seconds } from "#base";
import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True } from "#conditions";
import { ExtensionConfigError, InvalidExtensionConfigError } from "./errors.ts";
import { describeDiscoveryFailure, type DiscoveryFacts } from "./facts.ts";
import { bringUpToDate, notePause, registerHandlers, unregisterHandlers, validate } from "./step-texts.ts";

/** Why the extension could not be asked, and the sentence that says of which extension that is. */
interface DiscoveryFailure {
  readonly error: string;
  readonly failure: string;
}

/** Tells whether the handlers of an extension are known and can be called. */
export const Discovered = defineCondition({
  of: "ExtensionConfig",
  type: "Discovered",
  summary: "Tells whether the extension has been asked for its handlers, and whether they can be called.",
  reasons: ["Discovered", "NotDiscovered"],
  rows: [
    row({
      id: "registry-cold-keep",
      when: holds("the registry is not warmed up", registryIsCold),
      ensure: nothing("the warm-up fills the registry"),
      report: lastKnown,
      next: requeueAfter(seconds(10), "the registry is warming up"),
    }),
    row({
      id: "deleting-keep",
      when: holds("the ExtensionConfig is being deleted", isDeleting),
      ensure: unregisterHandlers,
      report: lastKnown,
    }),
    // The document has this row for reading managers alone; writing ones go by the annotation and leave it alone, too.
    row({
      id: "paused-keep",
      when: holds("the ExtensionConfig is paused", isPaused),
      ensure: nothing("a paused object is left alone"),
      report: lastKnown,
    }),
    // These two are not in the document: a writing manager notes first whether the object is paused, and stops there.
    row({
      id: "pause-noted-keep",
      when: holds("whether it is paused was written just now", pauseWasNoted),
      ensure: notePause,
      report: lastKnown,
    }),
    row({
      id: "pause-not-noted-keep",
      when: finds("whether it is paused could not be written", pauseFailure),
      ensure: notePause,
      report: lastKnown,
      next: (failure) => retry(new ExtensionConfigError(failure.error)),
    }),
    row({
      id: "invalid",
      when: finds("a reading manager cannot use what it found", invalidity),
      ensure: validate,
      report: (failure) => False("NotDiscovered", `Error in discovery: ${failure.error}`),
      next: (failure) => retry(new InvalidExtensionConfigError(`failed to validate ExtensionConfig: ${failure.error}`)),
    }),
    row({
      id: "taken-over",
      when: holds("a reading manager has found everything in order", isReading),
      ensure: registerHandlers,
      report: True("Discovered"),
    }),
    row({
      id: "authority-failed-keep",
      when: finds("the certificate authority could not be settled", authorityFailure),
      ensure: bringUpToDate,
      report: lastKnown,
      next: (failure) => retry(new ExtensionConfigError(`failed to reconcile ExtensionConfig: ${failure.error}`)),
    }),
    // Not in the document: nobody may call what nobody can read, so that nothing is registered either.
    row({
      id: "not-written-keep",
      when: finds("what was found out could not be written", statusFailure),
      ensure: bringUpToDate,
      report: lastKnown,
      next: (failure) => retry(new ExtensionConfigError(`failed to reconcile ExtensionConfig: ${failure.error}`)),
    }),
    row({
      id: "discovery-failed",
      when: finds("the extension could not be asked, or not be understood", discoveryFailure),
      ensure: bringUpToDate,
      report: (failure) => False("NotDiscovered", `Error in discovery: ${failure.error}`),
      next: (failure) => retry(new ExtensionConfigError(`failed to reconcile ExtensionConfig: ${failure.failure}`)),
    }),
  ],
  otherwise: otherwise({
    id: "discovered",
    when: "the extension has said what it has",
    ensure: registerHandlers,
    report: True("Discovered"),
  }),
});

function registryIsCold({ registry }: DiscoveryFacts): boolean {
  return registry === "cold";
}

function isDeleting({ deleting }: DiscoveryFacts): boolean {
  return deleting;
}

function isPaused({ pause }: DiscoveryFacts): boolean {
  return pause.kind === "paused";
}

function pauseWasNoted({ pause }: DiscoveryFacts): boolean {
  return pause.kind === "just-noted";
}

function pauseFailure({ pause }: DiscoveryFacts): { readonly error: string } | undefined {
  return pause.kind === "not-noted" ? { error: pause.error } : undefined;
}

function invalidity({ mode, validity }: DiscoveryFacts): { readonly error: string } | undefined {
  return mode === "reading" && validity.kind === "invalid" ? { error: validity.error } : undefined;
}

function isReading({ mode }: DiscoveryFacts): boolean {
  return mode === "reading";
}

function authorityFailure({ authority }: DiscoveryFacts): { readonly error: string } | undefined {
  return authority.kind === "failed" ? { error: authority.error } : undefined;
}

/** Where the discovery failed as well, both are told. */
function statusFailure(facts: DiscoveryFacts): { readonly error: string } | undefined {
  const { status } = facts;
  if (status.kind === "written") return undefined;
  const discovery = discoveryFailure(facts);
  return { error: discovery === undefined ? status.error : `[${discovery.failure}, ${status.error}]` };
}

function discoveryFailure({ config, discovery }: DiscoveryFacts): DiscoveryFailure | undefined {
  if (discovery.kind !== "failed") return undefined;
  const { error } = discovery;
  return { error, failure: describeDiscoveryFailure(config, error) };
}
