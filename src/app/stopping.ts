/** Runs something until it ends by itself, or until somebody asks the process to stop. */
export async function untilStopped(run: (stop: AbortController) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    await run(stop);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}
