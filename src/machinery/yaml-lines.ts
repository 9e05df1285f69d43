import { type Event, EVENT_ID, parseEvents, SCALAR_STYLE } from "js-yaml";
import { deepestJson, type Json } from "./json.ts";
import { parseDocuments } from "./yaml.ts";

/** A document of a text, and where in the text its parts stand. */
export interface LinedYaml {
  readonly value: Json;
  /** The line of the part at a path, counted from one; where there is no such part, that of the closest one around. */
  lineAt(path: readonly (string | number)[]): number;
}

/** Reads all documents of a text that are not empty, and remembers where everything stands. */
export function parseLinedYaml(source: string): readonly LinedYaml[] {
  const values = parseDocuments(source, {});
  const places = new EventReader(source).documents();
  return values.flatMap((value, index) => {
    const root = places[index] ?? noPlace;
    return value === null ? [] : [{ value, lineAt: (path) => lineAt(root, path) }];
  });
}

/** Where something stands, and what is inside it. */
interface Place {
  readonly line: number;
  readonly members: ReadonlyMap<string, Place>;
  readonly items: readonly Place[];
}

const noPlace: Place = { line: 1, members: new Map(), items: [] };

function lineAt(root: Place, path: readonly (string | number)[]): number {
  let place = root;
  for (const step of path) {
    const next = typeof step === "number" ? place.items[step] : place.members.get(step);
    if (next === undefined) break;
    place = next;
  }
  return place.line;
}

/** Reads the events of a text; what they are worth has been found out already. */
class EventReader {
  readonly #source: string;
  readonly #events: readonly Event[];
  readonly #lineStarts: readonly number[];
  readonly #anchors = new Map<string, Place>();
  #next = 0;

  constructor(source: string) {
    this.#source = source;
    this.#events = parseEvents(source, { maxDepth: deepestJson });
    this.#lineStarts = [0, ...[...source.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length)];
  }

  documents(): readonly Place[] {
    const found: Place[] = [];
    while (this.#next < this.#events.length) {
      this.#next += 1;
      this.#anchors.clear();
      found.push(this.#place(this.#lineOf(this.#events[this.#next], 1)));
      this.#next += 1;
    }
    return found;
  }

  /** What has no place of its own, such as an empty value, stands where its key does. */
  #place(lineOfKey: number): Place {
    const event = this.#events[this.#next];
    this.#next += 1;
    if (event === undefined) return { ...noPlace, line: lineOfKey };
    switch (event.type) {
      case EVENT_ID.MAPPING:
        return this.#anchored(event, this.#mapping(lineOfKey));
      case EVENT_ID.SEQUENCE:
        return this.#anchored(event, this.#sequence(lineOfKey));
      case EVENT_ID.ALIAS: {
        const name = this.#source.slice(event.anchorStart, event.anchorEnd);
        return { ...(this.#anchors.get(name) ?? noPlace), line: lineOfKey };
      }
      case EVENT_ID.SCALAR:
        return this.#anchored(event, { ...noPlace, line: lineOfKey });
      default:
        return { ...noPlace, line: lineOfKey };
    }
  }

  #mapping(line: number): Place {
    const members = new Map<string, Place>();
    while (!this.#isEnd()) {
      const key = this.#events[this.#next];
      const lineOfKey = this.#lineOf(key, line);
      this.#place(lineOfKey);
      members.set(this.#keyText(key), this.#place(lineOfKey));
    }
    this.#next += 1;
    return { ...noPlace, line, members };
  }

  #sequence(line: number): Place {
    const items: Place[] = [];
    while (!this.#isEnd()) items.push(this.#place(this.#lineOf(this.#events[this.#next], line)));
    this.#next += 1;
    return { ...noPlace, line, items };
  }

  #isEnd(): boolean {
    const event = this.#events[this.#next];
    return event === undefined || event.type === EVENT_ID.POP;
  }

  #anchored(event: { readonly anchorStart: number; readonly anchorEnd: number }, place: Place): Place {
    if (event.anchorStart >= 0) this.#anchors.set(this.#source.slice(event.anchorStart, event.anchorEnd), place);
    return place;
  }

  #keyText(event: Event | undefined): string {
    if (event?.type !== EVENT_ID.SCALAR) return "";
    const text = this.#source.slice(event.valueStart, event.valueEnd);
    if (event.style === SCALAR_STYLE.SINGLE_QUOTED) return text.replaceAll("''", "'");
    return event.style === SCALAR_STYLE.DOUBLE_QUOTED ? unescaped(text) : text;
  }

  #lineOf(event: Event | undefined, otherwise: number): number {
    const offset = offsetOf(event);
    if (offset < 0) return otherwise;
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

function offsetOf(event: Event | undefined): number {
  switch (event?.type) {
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.SCALAR:
      return event.valueStart;
    case EVENT_ID.ALIAS:
      return event.anchorStart;
    default:
      return -1;
  }
}

/** Keys with escapes of YAML alone are not found, and what they hold has the line of what is around it. */
function unescaped(text: string): string {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return String(value);
  } catch {
    return text;
  }
}
