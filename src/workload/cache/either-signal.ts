/** A signal that two others abort. Unlike that of the platform it can be let go of, and then holds on to nothing. */
export function eitherOf(
  own: AbortSignal | undefined,
  all: AbortSignal,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const sources = own === undefined || own === all ? [all] : [own, all];
  const listeners = sources.map((source) => {
    const onAbort = (): void => controller.abort(source.reason);
    if (source.aborted) onAbort();
    else source.addEventListener("abort", onAbort, { once: true });
    return () => source.removeEventListener("abort", onAbort);
  });
  return {
    signal: controller.signal,
    release: () => {
      for (const release of listeners) release();
    },
  };
}
