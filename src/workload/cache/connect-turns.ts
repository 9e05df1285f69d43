/** Says who may connect now, so that many clusters do not connect all at once. */
export interface ConnectTurns {
  /** Resolves when it is the turn of a cluster that failed so often in a row; the turn ends when it is disposed of. */
  take(options: { readonly failures: number; readonly signal: AbortSignal }): Promise<Disposable>;
  /** How many are connecting. */
  readonly taken: number;
}

interface Waiting {
  readonly failures: number;
  readonly begin: () => void;
}

/**
 * Gives turns to those who failed least, not to those who came first: a cluster that is dead keeps its turn until its
 * time is over, and comes back for ever. However many of them there are, half of all turns stay with the others.
 */
export function createConnectTurns({ mostAtOnce }: { readonly mostAtOnce: number }): ConnectTurns {
  const mostFailing = Math.max(1, Math.floor(mostAtOnce / 2));
  const waiting: Waiting[] = [];
  let taken = 0;
  let takenByFailing = 0;

  return {
    get taken() {
      return taken;
    },
    async take({ failures, signal }) {
      signal.throwIfAborted();
      if (!hasTurnFor(failures)) await wait(failures, signal);
      else begin(failures);
      return { [Symbol.dispose]: onlyOnce(() => end(failures)) };
    },
  };

  function hasTurnFor(failures: number): boolean {
    return taken < mostAtOnce && (failures === 0 || takenByFailing < mostFailing);
  }

  function begin(failures: number): void {
    taken++;
    if (failures > 0) takenByFailing++;
  }

  function end(failures: number): void {
    taken--;
    if (failures > 0) takenByFailing--;
    // The list is in order, so the first whom the limits allow is the one who failed least and waits longest.
    const next = waiting.find((one) => hasTurnFor(one.failures));
    next?.begin();
  }

  function wait(failures: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const own: Waiting = {
        failures,
        begin() {
          leave();
          begin(failures);
          resolve();
        },
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
      };
      function leave(): void {
        waiting.splice(waiting.indexOf(own), 1);
        signal.removeEventListener("abort", onAbort);
      }
      signal.addEventListener("abort", onAbort, { once: true });
      const behind = waiting.findIndex((one) => one.failures > failures);
      waiting.splice(behind === -1 ? waiting.length : behind, 0, own);
    });
  }
}

function onlyOnce(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
