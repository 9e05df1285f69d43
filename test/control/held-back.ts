import type { GroupVersionResource, Transport, WatchEvent, WatchOptions } from "#machinery";

/** A transport whose watches tell nothing while they are held back, as on a slow network. */
export interface HeldBack {
  through(transport: Transport): Transport;
  hold(): void;
  release(): void;
}

export function heldBack(): HeldBack {
  const state = { isHeld: false };
  let waiting: (() => void)[] = [];
  return {
    through: (transport) => ({ ...transport, watch: (resource, options) => watch(transport, resource, options) }),
    hold() {
      state.isHeld = true;
    },
    release() {
      state.isHeld = false;
      for (const wake of waiting) wake();
      waiting = [];
    },
  };

  async function* watch(
    transport: Transport,
    resource: GroupVersionResource,
    options?: WatchOptions,
  ): AsyncGenerator<WatchEvent> {
    for await (const event of transport.watch(resource, options)) {
      while (state.isHeld && options?.signal?.aborted !== true) await released(options?.signal);
      yield event;
    }
  }

  function released(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
