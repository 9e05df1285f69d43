/** Tells a request that nobody waits for it any more. Most requests never ask, and cost nothing then. */
export class Cancellation {
  #controller: AbortController | undefined;
  #state: { readonly kind: "open" | "over" } | { readonly kind: "cancelled"; readonly reason: unknown } = {
    kind: "open",
  };

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#state.kind === "cancelled") this.#controller.abort(this.#state.reason);
    return this.#controller.signal;
  }

  /** Why the request was cancelled, where that was said. */
  get reason(): unknown {
    return this.#state.kind === "cancelled" ? this.#state.reason : undefined;
  }

  cancel(reason?: unknown): void {
    if (this.#state.kind !== "open") return;
    this.#state = { kind: "cancelled", reason };
    this.#controller?.abort(reason);
  }

  /** The request has been answered: there is nothing left to cancel. */
  finish(): void {
    if (this.#state.kind === "open") this.#state = { kind: "over" };
  }
}
