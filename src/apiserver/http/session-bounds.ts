import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Clock, Duration } from "#base";

// More than any client cancels in good faith: a manager that stops ends all its watches at once.
const mostResets = 1000;
const resetsWithin = 10_000;
const longestIdle = 600_000;

interface Bounds {
  readonly clock: Clock;
  /** How long the first request may take to come. */
  readonly head: Duration;
}

/**
 * Keeps one HTTP/2 connection within bounds: one that begins requests only to cancel them is closed, and so is one on
 * which nothing has happened for a long time, or nothing at all.
 */
export function boundSession(session: ServerHttp2Session, { clock, head }: Bounds): void {
  let open = 0;
  let resets = 0;
  let since = clock.elapsed();
  session.once("stream", () => session.setTimeout(longestIdle));
  session.on("stream", (stream: ServerHttp2Stream) => {
    open += 1;
    stream.once("close", () => {
      open -= 1;
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) return;
      const now = clock.elapsed();
      if (now - since > resetsWithin) {
        since = now;
        resets = 0;
      }
      resets += 1;
      if (resets > mostResets) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  });
  session.setTimeout(head, () => {
    // A watch in which nothing happens is no idle connection.
    if (open === 0) session.close();
  });
}
