import { deepEqual, type Json, type JsonObject } from "#machinery";
import { parsePath, valuesAt } from "./json-path.ts";
import type { Answer, RemoteServer, Request } from "./remote-server.ts";
import { fill, fillAll, type Step } from "./script.ts";

const patience = { tries: 200, milliseconds: 50 };

/** One server going through a script, with what its answers were asked to remember. */
export class Conversation {
  readonly #server: RemoteServer;
  #saved: JsonObject;

  /** `given` is what the script can use from the first step on. */
  constructor(server: RemoteServer, given: JsonObject) {
    this.#server = server;
    this.#saved = given;
  }

  /** Sends a step, again until its condition holds, and saves what it asks for. */
  async ask(step: Step): Promise<Answer> {
    const request = this.#requestOf(step);
    let answer = await this.#server.call(request);
    for (let tries = 1; !isReached(step, answer); tries++) {
      if (tries >= patience.tries) throw new Error(`${step.name}: ${JSON.stringify(step.until)} has not come true`);
      await new Promise((resolve) => setTimeout(resolve, patience.milliseconds));
      answer = await this.#server.call(request);
    }
    this.#save(step, answer);
    return answer;
  }

  #requestOf(step: Step): Request {
    const { body, contentType } = step;
    const type = contentType ?? (body === undefined ? undefined : "application/json");
    const headers = Object.entries(step.headers).map(([name, text]) => [name, fill(text, this.#saved)]);
    return {
      method: step.method,
      path: fill(step.path, this.#saved),
      headers: { ...(type === undefined ? {} : { "content-type": type }), ...Object.fromEntries(headers) },
      anonymous: step.anonymous,
      ...(body === undefined ? {} : { body: textOf(body, this.#saved).repeat(step.repeat) }),
    };
  }

  #save({ save, name }: Step, { text }: Answer): void {
    for (const [as, path] of Object.entries(save)) {
      const [found] = valuesAt(bodyOf(text), parsePath(path));
      if (found === undefined) throw new Error(`${name}: the answer has no ${path} to save: ${text.slice(0, 500)}`);
      this.#saved = { ...this.#saved, [as]: found };
    }
  }
}

/** An answer's body: JSON, the events of a watch as a list, or a text. */
export function bodyOf(text: string): Json {
  const lines = text.split("\n").filter((line) => line !== "");
  return (
    parsed(text) ??
    (lines.every((line) => parsed(line) !== undefined) ? lines.map((line) => parsed(line) ?? null) : text)
  );
}

function parsed(text: string): Json | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed from JSON
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function textOf(body: Json, saved: JsonObject): string {
  return typeof body === "string" ? fill(body, saved) : JSON.stringify(fillAll(body, saved));
}

function isReached({ until }: Step, { code, text }: Answer): boolean {
  if (until === undefined) return true;
  if (until.code !== undefined && until.code !== code) return false;
  if (until.path === undefined) return true;
  const found = valuesAt(bodyOf(text), parsePath(until.path));
  return until.equals === undefined ? found.length > 0 : found.some((value) => deepEqual(value, until.equals));
}
