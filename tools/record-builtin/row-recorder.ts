import { writeFileSync } from "node:fs";
import { fieldAt } from "#machinery";
import type { RealServer } from "../derive-builtins/real-server.ts";

const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** Keeps objects with the rows in which the real server prints them. */
export class RowRecorder {
  readonly #server: RealServer;
  readonly #lines: string[] = [];

  constructor(server: RealServer) {
    this.#server = server;
  }

  async record(resource: string, path: string): Promise<void> {
    // A row tells ages, so it must be made in the second that is written down, and of the object beside it.
    for (let left = 20; left > 0; left--) {
      const before = await this.#server.ask(path);
      const table = await this.#server.ask(path, { accept });
      const after = await this.#server.ask(path);
      if (!before.body.equals(after.body) || before.date !== after.date) continue;
      const rows = fieldAt(JSON.parse(table.body.toString("utf8")), "rows");
      const cells = Array.isArray(rows) ? fieldAt(rows[0], "cells") : undefined;
      this.#lines.push(
        JSON.stringify({ resource, now: table.date, object: JSON.parse(after.body.toString("utf8")), cells }),
      );
      return;
    }
    throw new Error(`${path} never stays as it is`);
  }

  write(file: string): void {
    // managedFields are half of an object, and no row tells of them.
    const lines = this.#lines.map((line) =>
      JSON.stringify(JSON.parse(line), (key, value: unknown) => (key === "managedFields" ? undefined : value)),
    );
    writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
  }
}
