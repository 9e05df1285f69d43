import { posix } from "node:path";
import { floors, mayImport } from "./rooms.ts";
import { type Token, tokensOf } from "./tokens.ts";

interface Import {
  /** What stands between the quotes; undefined where it is computed. */
  readonly target: string | undefined;
  readonly line: number;
}

interface ForbiddenRead {
  readonly words: readonly string[];
  readonly name: string;
  readonly instead: string;
  readonly allowedInTests?: boolean;
}

const forbiddenReads: readonly ForbiddenRead[] = [
  { words: ["Date", ".", "now"], name: "Date.now", instead: "a Clock" },
  { words: ["new", "Date", "(", ")"], name: "new Date()", instead: "a Clock" },
  { words: ["performance", ".", "now"], name: "performance.now", instead: "a Clock" },
  { words: ["Math", ".", "random"], name: "Math.random", instead: "a source of randomness" },
  { words: ["process", ".", "env"], name: "process.env", instead: "an option", allowedInTests: true },
];

/** What is wrong with one file of src, one sentence each. `file` is its path below src. */
export function checkFile(file: string, source: string): readonly string[] {
  const tokens = tokensOf(source);
  return [
    ...importsOf(tokens).flatMap(({ target, line }) => {
      const why = target === undefined ? "imports what only running it can tell" : whyNot(file, target);
      return why === undefined ? [] : [`${file}:${line} ${why}`];
    }),
    ...readsOf(file, tokens),
  ];
}

/** The room that a file of src lives in: `conditions`, `reconcilers/machine`. */
export function roomOf(file: string): string {
  const [room = "", inner, ...rest] = file.split("/");
  return floors.includes(room) && inner !== undefined && rest.length > 0 ? `${room}/${inner}` : room;
}

function importsOf(tokens: readonly Token[]): readonly Import[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== "word" || (token.value !== "from" && token.value !== "import")) return [];
    const [next, inBrackets, closing] = tokens.slice(index + 1, index + 4);
    if (next?.kind === "text") return [{ target: next.value, line: token.line }];
    const isCall = token.value === "import" && next?.value === "(";
    if (!isCall) return [];
    const isLiteral = inBrackets?.kind === "text" && closing?.value === ")";
    return [{ target: isLiteral ? inBrackets.value : undefined, line: token.line }];
  });
}

function whyNot(file: string, target: string): string | undefined {
  const refused = `may not import ${target}`;
  if (target.startsWith(".")) {
    const inRoom = roomOf(posix.join(posix.dirname(file), target)) === roomOf(file);
    return inRoom ? undefined : `${refused}: relative imports stay inside a room`;
  }
  if (/^capstan(\/|$)/.test(target)) return `${refused}: inside the package rooms are imported as #room`;
  if (!target.startsWith("#")) return undefined;

  const path = target.slice(1);
  const [to = "", inner] = path.split("/");
  if (!Object.hasOwn(mayImport, to)) return `${refused}: there is no room ${to}`;
  if (inner !== undefined && !(floors.includes(to) && path.split("/").length === 2))
    return `${refused}: only through the front door, #${to}`;

  const [from = ""] = roomOf(file).split("/");
  if (from === to) return whyNotWithin(file, path, refused);
  if (to === "testkit" && isTest(file)) return undefined;
  if (mayImport[from]?.includes(to) !== true) return `${refused}: ${from} may import ${listed(mayImport[from])}`;
  return to === "apiserver" && inner !== undefined ? `${refused}: only through the front door, #apiserver` : undefined;
}

/** Between the rooms of one floor: the API server's parts may meet, kinds may not, and nobody imports upwards. */
function whyNotWithin(file: string, path: string, refused: string): string | undefined {
  const from = roomOf(file);
  if (path === from) return `${refused}: a room does not import itself through its front door`;
  if (!path.includes("/")) return `${refused}: that is upwards`;
  if (path.startsWith("reconcilers/") && from.includes("/"))
    return `${refused}: reconcilers do not import each other; what they share belongs in a lower room`;
  return undefined;
}

function readsOf(file: string, tokens: readonly Token[]): readonly string[] {
  if (file === "base/clock.ts" || file.startsWith("app/")) return [];
  return tokens.flatMap((token, index) =>
    forbiddenReads
      .filter(({ words, allowedInTests = false }) => {
        if (allowedInTests && isTest(file)) return false;
        return words.every((word, at) => isCode(tokens[index + at], word));
      })
      .map(({ name, instead }) => `${file}:${token.line} reads ${name}; take ${instead} instead`),
  );
}

function isCode(token: Token | undefined, value: string): boolean {
  return token !== undefined && token.kind !== "text" && token.value === value;
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

function listed(rooms: readonly string[] = []): string {
  return rooms.length === 0 ? "nothing" : `only ${rooms.join(", ")}`;
}
