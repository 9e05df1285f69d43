import { describe, expect, test } from "vitest";
import { createFakeClock } from "./clock.ts";
import { milliseconds } from "./duration.ts";
import { CapstanError, wrap } from "./errors.ts";
import { createLogger, type Logger, type LogLevel } from "./log.ts";
import { parseTimestamp } from "./timestamp.ts";

class LostError extends CapstanError {
  readonly code = "LOST";
}

describe("text", () => {
  const cases: Record<string, [write: (log: Logger) => void, line: string]> = {
    "a message alone": [(log) => log.info("ready"), "2026-11-15T10:32:03.123Z INFO  ready"],
    "fields of all kinds": [
      (log) => log.warn("odd", { key: "value", other: "with blanks", n: 1, yes: true, none: null, empty: "" }),
      '2026-11-15T10:32:03.123Z WARN  odd key=value other="with blanks" n=1 yes=true none=null empty=""',
    ],
    "values that need quotes": [
      (log) => log.info("x", { a: 'q"', b: "a=b", c: "line\nline", d: { e: [1] }, f: "back\\slash" }),
      '2026-11-15T10:32:03.123Z INFO  x a="q\\"" b="a=b" c="line\\nline" d="{\\"e\\":[1]}" f="back\\\\slash"',
    ],
    "an error with its code": [
      (log) => log.error("pass failed", wrap(new LostError("no node"), "machine default/m"), { pass: 3 }),
      '2026-11-15T10:32:03.123Z ERROR pass failed pass=3 error="machine default/m: no node" code=LOST',
    ],
    "fields of a child": [
      (log) => log.child({ controller: "machine" }).child({ name: "m1" }).debug("seen", { node: "n" }),
      "2026-11-15T10:32:03.123Z DEBUG seen controller=machine name=m1 node=n",
    ],
    "names that every line has already": [
      (log) => log.info("x", { message: "m", time: "t", level: "l" }),
      "2026-11-15T10:32:03.123Z INFO  x message_=m time_=t level_=l",
    ],
    "an error among the fields": [
      (log) => log.info("x", { why: wrap(new Error("b"), "a") }),
      '2026-11-15T10:32:03.123Z INFO  x why="a: b"',
    ],
    "a message that would pass for two lines": [
      (log) => log.info('a "b"\n2026-11-15T10:32:03.123Z ERROR forged'),
      '2026-11-15T10:32:03.123Z INFO  a "b"\\n2026-11-15T10:32:03.123Z ERROR forged',
    ],
    "a bigint": [(log) => log.info("x", { n: 12n }), "2026-11-15T10:32:03.123Z INFO  x n=12"],
  };
  test.each(Object.entries(cases))("%s", async (_, [write, line]) => {
    expect(await linesOf("text", "debug", write)).toEqual([`${line}\n`]);
  });

  test("an error that is not ours brings its stack", async () => {
    const [line] = await linesOf("text", "info", (log) => log.error("x", new TypeError("boom")));
    expect(line).toMatch(/ERROR x error=boom stack="TypeError: boom\\n {4}at /);
  });

  test("whatever was thrown can be logged", async () => {
    const lines = await linesOf("text", "info", (log) => log.error("x", "just a text"));
    expect(lines).toEqual(['2026-11-15T10:32:03.123Z ERROR x error="just a text"\n']);
  });
});

describe("json", () => {
  test("a line is an object with time, level, message and the fields", async () => {
    const [line = ""] = await linesOf("json", "info", (log) =>
      log.child({ a: 1 }).error("failed", new LostError("gone"), { b: { c: "d" } }),
    );
    expect(JSON.parse(line)).toEqual({
      time: "2026-11-15T10:32:03.123Z",
      level: "error",
      message: "failed",
      a: 1,
      b: { c: "d" },
      error: "gone",
      code: "LOST",
    });
    expect(line.endsWith("}\n")).toBe(true);
  });

  test("an object that holds itself does no harm", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const [line = ""] = await linesOf("json", "info", (log) => log.info("x", { circular }));
    expect(JSON.parse(line)).toMatchObject({ message: "x" });
  });
});

test.each([
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
] as const)("at level %s the rest is not written", async (level, written) => {
  const lines = await linesOf("json", level, (log) => {
    log.debug("debug");
    log.info("info");
    log.warn("warn");
    log.error("error", new LostError("x"));
  });
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(written);
});

async function linesOf(format: "text" | "json", level: LogLevel, write: (log: Logger) => void): Promise<string[]> {
  const lines: string[] = [];
  const clock = createFakeClock(parseTimestamp("2026-11-15T10:32:03Z"));
  await clock.advance(milliseconds(123));
  write(createLogger({ format, level, clock, destination: { write: (line) => lines.push(line) } }));
  return lines;
}
