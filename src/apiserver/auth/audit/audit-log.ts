import { type FileHandle, open } from "node:fs/promises";
import type { Logger } from "#base";
import { auditEvent, type AuditedRequest } from "./audit-event.ts";

/** Writes down who asked for what, one JSON line a request. */
export interface AuditLog {
  /** Takes note of a request that has been answered; never waits. */
  record(request: AuditedRequest): void;
  /** Resolves when all that was recorded is in the file. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditLogOptions {
  /** Lines are added to what is in it. */
  readonly path: string;
  readonly log: Logger;
  /** How many lines may wait for the disk; the ones above are dropped, and their number is logged. */
  readonly mostWaiting?: number;
}

/** Opens an audit log; a file that cannot be opened is an error at once. */
export async function openAuditLog({ path, log, mostWaiting = 100_000 }: AuditLogOptions): Promise<AuditLog> {
  const file = await open(path, "a", 0o600);
  let waiting: string[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let closed = false;

  return {
    record(request) {
      if (closed || waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(lineOf(request));
      start();
    },
    flush,
    async close() {
      if (closed) return;
      closed = true;
      await flush();
      await file.close();
    },
  };

  async function flush(): Promise<void> {
    for (let round = writing; round !== undefined; round = writing) await round;
  }

  function start(): void {
    writing ??= drain().finally(() => {
      writing = undefined;
    });
  }

  async function drain(): Promise<void> {
    // Begins in a later turn, so that requests answered together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      await append(file, lines, log);
      if (dropped > 0) log.warn("requests are missing in the audit log: the disk was too slow", { dropped });
      dropped = 0;
    }
  }
}

async function append(file: FileHandle, lines: readonly string[], log: Logger): Promise<void> {
  try {
    await file.appendFile(lines.join(""));
  } catch (error) {
    log.error("requests are missing in the audit log", error, { dropped: lines.length });
  }
}

function lineOf(request: AuditedRequest): string {
  return `${JSON.stringify(auditEvent(request))}\n`;
}
