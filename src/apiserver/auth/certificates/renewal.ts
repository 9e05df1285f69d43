import { describeError, hours } from "#base";
import { openPki, type Pki, type PkiOptions } from "./pki.ts";
import type { Clock, Logger } from "#base";

export interface RenewalOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Is told when a certificate has been replaced, so that the server can serve with it from now on. */
  readonly onRenewed: (pki: Pki) => void;
}

const lookEvery = hours(12);

/** Looks at the certificates twice a day and renews those that are due, until told to stop. */
export async function renewCertificates(pki: Pki, options: PkiOptions & RenewalOptions): Promise<void> {
  const { clock, log, signal, onRenewed } = options;
  let current = pki;
  while (!signal.aborted) {
    try {
      await clock.sleep(lookEvery, { signal });
      const next = await openPki(options);
      if (!isSame(current, next)) onRenewed(next);
      current = next;
    } catch (error) {
      if (signal.aborted) return;
      log.error("certificates could not be renewed; this will be tried again", error, { error: describeError(error) });
    }
  }
}

function isSame(a: Pki, b: Pki): boolean {
  return (
    a.authority === b.authority &&
    a.serving.certificate === b.serving.certificate &&
    a.admin.certificate === b.admin.certificate
  );
}
