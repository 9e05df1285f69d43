import { CapstanError } from "#base";

/** What the documentation says about a class of errors. */
export interface ErrorClass {
  readonly code: string;
  readonly name: string;
  readonly room: string;
  readonly text: string;
  readonly terminal: boolean;
}

/** A class of errors that cannot be documented as it stands. */
export class UndocumentedErrorClassError extends CapstanError {
  readonly code = "UNDOCUMENTED_ERROR_CLASS";
}

interface FoundClass {
  readonly name: string;
  readonly parent: string;
  readonly file: string;
  readonly isAbstract: boolean;
  readonly comment: string;
  readonly body: string;
}

// The formatter sees to it that a class of a module starts at the margin and ends with a brace at the margin.
const classPattern = new RegExp(
  [
    String.raw`(?:^/\*\*(?<comment>(?:(?!\*/)[\s\S])*)\*/\n)?`,
    String.raw`^(?:export )?(?<abstract>abstract )?class (?<name>\w+)(?:<[^{]*>)? extends (?<parent>\w+)[^{]*`,
    String.raw`\{(?<body>[\s\S]*?)^\}`,
  ].join(""),
  "gm",
);

/** Finds every class of errors below CapstanError in sources, given as a map from path to text. */
export function errorClassesIn(sources: ReadonlyMap<string, string>): readonly ErrorClass[] {
  const found = [...sources].flatMap(([file, text]) => classesIn(file, text));
  const parents = new Map(found.map(({ name, parent }) => [name, parent]));
  const errors = found
    .filter(({ name, isAbstract }) => !isAbstract && isCapstanError(parents.get(name), parents))
    .map((one) => readErrorClass(one));
  refuseSharedCodes(errors);
  return errors.toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/** The page about all errors. */
export function errorsPage(errors: readonly ErrorClass[]): string {
  const lines = errors.map(
    ({ code, name, room, text, terminal }) =>
      `| \`${code}\` | \`${name}\` | ${room} | ${text.replaceAll("|", "\\|")} | ${terminal ? "no" : "yes"} |`,
  );
  return [
    "# Errors",
    "",
    "Every error that Capstan throws on purpose has a code that stays: match on it, never on the message.",
    "An error that is not retried ends its pass for good: it is logged and counted, and only a change starts another.",
    "",
    "| Code | Class | Room | What it means | Retried |",
    "|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

function classesIn(file: string, text: string): readonly FoundClass[] {
  return [...text.matchAll(classPattern)].map(({ groups = {} }) => ({
    file,
    name: groups["name"] ?? "",
    parent: groups["parent"] ?? "",
    isAbstract: groups["abstract"] !== undefined,
    comment: groups["comment"] ?? "",
    body: groups["body"] ?? "",
  }));
}

function isCapstanError(parent: string | undefined, parents: ReadonlyMap<string, string>): boolean {
  if (parent === "CapstanError") return true;
  return parent !== undefined && isCapstanError(parents.get(parent), parents);
}

function readErrorClass({ file, name, comment, body }: FoundClass): ErrorClass {
  const text = comment
    .replace(/^\s*\*?\s?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (text === "") throw new UndocumentedErrorClassError(`${file}: ${name} has no doc comment that says what it means`);
  const [, code] = /^ {2}(?:override )?readonly code(?:: \w+)? = "([A-Z0-9_]+)"/m.exec(body) ?? [];
  if (code === undefined) throw new UndocumentedErrorClassError(`${file}: ${name} has no code in capitals`);
  return {
    code,
    name,
    room: file.split("/").slice(0, -1).join("/"),
    text,
    terminal: /^ {2}override readonly terminal(?:: \w+)? = true\b/m.test(body),
  };
}

function refuseSharedCodes(errors: readonly ErrorClass[]): void {
  for (const { code, name } of errors) {
    const other = errors.find((candidate) => candidate.code === code && candidate.name !== name);
    if (other !== undefined) throw new UndocumentedErrorClassError(`${name} and ${other.name} share the code ${code}`);
  }
}
