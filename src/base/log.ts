import { pino, type Logger as PinoLogger } from "pino";
import type { Clock } from "./clock.ts";
import { CapstanError, ContextError, describeError, findError } from "./errors.ts";
import { createTextWriter } from "./log-text.ts";

/** How much a line matters, from least to most. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What is known besides the message; values are plain data, errors are described. */
export type LogFields = { readonly [name: string]: unknown };

/** Says what happens, to people or to machines. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, error: unknown, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}

/** Takes whole lines, each with its line end. */
export interface LogDestination {
  write(line: string): unknown;
}

/** What a logger writes, and where. */
export interface LoggerOptions {
  readonly format: "text" | "json";
  /** Lines below it are not written. */
  readonly level: LogLevel;
  readonly destination: LogDestination;
  readonly clock: Clock;
}

/** Names that every line has already. */
const taken: ReadonlySet<string> = new Set(["time", "level", "message"]);

/** Makes a logger: one line per message, `text` for people and `json` for machines. */
export function createLogger({ format, level, destination, clock }: LoggerOptions): Logger {
  const write = format === "text" ? createTextWriter(destination) : (line: string) => destination.write(line);
  const lines = pino(
    {
      level,
      messageKey: "message",
      base: null,
      timestamp: () => `,"time":"${new Date(clock.instant()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return loggerOn(lines);
}

function loggerOn(lines: PinoLogger): Logger {
  return {
    debug: (message, fields) => {
      // Most debug lines are never written, so nothing is prepared for them.
      if (lines.isLevelEnabled("debug")) lines.debug(prepared(fields), message);
    },
    info: (message, fields) => lines.info(prepared(fields), message),
    warn: (message, fields) => lines.warn(prepared(fields), message),
    error: (message, error, fields) => lines.error({ ...prepared(fields), ...fieldsOf(error) }, message),
    child: (fields) => loggerOn(lines.child(prepared(fields))),
  };
}

function prepared(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      taken.has(name) ? `${name}_` : name,
      value instanceof Error ? describeError(value) : value,
    ]),
  );
}

/** An error of ours says what it is by its code; of any other the stack is what helps to find it. */
function fieldsOf(error: unknown): LogFields {
  const code = codeOf(error);
  if (code !== undefined) return { error: describeError(error), code };
  return { error: describeError(error), ...(error instanceof Error ? { stack: error.stack } : {}) };
}

/** The code of what went wrong, rather than of the sentences put in front of it. */
function codeOf(error: unknown): string | undefined {
  const found = findError(error, CapstanError);
  return found instanceof ContextError ? (codeOf(found.cause) ?? found.code) : found?.code;
}
