/** What is tortured: anything that stores objects under one counter of revisions. */
export interface TortureSubject {
  /** Creates or replaces an object; resolves to its revision once that is durable. */
  put(key: string, sequence: number): Promise<number>;
  /** Removes an object that exists; resolves to the revision of the removal once that is durable. */
  remove(key: string): Promise<number>;
  /** Forgets older history, as a running server does now and then. */
  compact(): Promise<void>;
}

/** One version as the history tells it. */
export interface TortureRecord {
  readonly key: string;
  readonly op: "put" | "remove";
  readonly revision: number;
  /** What was put; of a removal the content removed. */
  readonly sequence: number;
  /** True for what the subject wrote by itself. */
  readonly foreign?: true;
}

/** What is found after the process was killed. */
export interface TortureFindings {
  readonly revision: number;
  readonly compacted: number;
  readonly objects: readonly TortureRecord[];
  /** Everything written after a revision, in order. */
  historyFrom(revision: number): readonly TortureRecord[] | Promise<readonly TortureRecord[]>;
  close(): Promise<void>;
}

/** What a module under torture exports; the driver takes its path. */
export interface TortureModule {
  openSubject(directory: string): Promise<TortureSubject>;
  openFindings(directory: string): Promise<TortureFindings>;
}

/** A torture module, loaded and looked at. */
export async function loadTortureModule(path: string): Promise<TortureModule> {
  const loaded: unknown = await import(path);
  if (!isTortureModule(loaded)) throw new Error(`${path} does not export openSubject and openFindings`);
  return loaded;
}

/** The content that belongs to a key and a sequence number: mostly small, now and then on pages of its own. */
export function contentOf(key: string, sequence: number): string {
  const length = (sequence * 2_654_435_761) % (sequence % 5 === 0 ? 20_000 : 4_000);
  return JSON.stringify({ key, sequence, padding: "x".repeat(length) });
}

/** Reads a content back, and throws when a single character of it is wrong. */
export function sequenceOf(content: string): number {
  const match = /^\{"key":"([^"]*)","sequence":(\d+),/.exec(content);
  const [, key = "", sequence = ""] = match ?? [];
  if (content !== contentOf(key, Number(sequence))) throw new Error(`content was changed: ${content.slice(0, 80)}`);
  return Number(sequence);
}

function isTortureModule(loaded: unknown): loaded is TortureModule {
  return typeof loaded === "object" && loaded !== null && "openSubject" in loaded && "openFindings" in loaded;
}
