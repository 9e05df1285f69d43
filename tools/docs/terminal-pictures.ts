import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runMain } from "#app";
import { root } from "../root.ts";

/** A command, and how much of what it prints is shown. */
interface Shown {
  readonly args: readonly string[];
  readonly lines?: number;
}

const dump = "examples/broken-node.yaml";

const pictures: Readonly<Record<string, Shown>> = {
  "describe.svg": { args: ["describe", "cluster", "quickstart", "-f", dump] },
  "explain.svg": { args: ["explain", "machine/quickstart-worker-1", "-f", dump], lines: 36 },
};

/** Pictures of a terminal, by file name: what commands print about a dump, in the colours that they have. */
export async function terminalPictures(): Promise<ReadonlyMap<string, string>> {
  const made = Object.entries(pictures).map(async ([name, { args, lines }]) => {
    let printed = "";
    const terminal = { write: (text: string) => (printed += text), writeError: fail, isColourful: true };
    await runMain(
      args.map((arg) => (arg === dump ? join(root, dump) : arg)),
      { terminal },
    );
    const all = printed.replaceAll(join(root, dump), dump).trimEnd().split("\n");
    const shown = lines === undefined || all.length <= lines ? all : [...all.slice(0, lines), "…"];
    return [name, terminalPicture([`$ capstan ${args.join(" ")}`, ...shown])] as const;
  });
  return new Map(await Promise.all(made));
}

const advance = 7.8;
const height = 18;
const margin = 14;

/** What a style of a terminal is called in the picture; the others end one. */
const styles: ReadonlyMap<string, string> = new Map([
  ["1", "bold"],
  ["2", "dim"],
  ["31", "bad"],
  ["32", "good"],
  ["33", "unsure"],
]);

/** Lines of a terminal as a picture. */
export function terminalPicture(lines: readonly string[]): string {
  const widest = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const [width, tall] = [Math.ceil(widest * advance) + 2 * margin, lines.length * height + 2 * margin];
  const texts = lines.map((line, index) => {
    const y = margin + height * (index + 0.75);
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spans(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${tall}" viewBox="0 0 ${width} ${tall}">
<style>
rect { fill: #1b1f24 }
text { fill: #d0d7de; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.bold { font-weight: bold; fill: #ffffff }
.dim { fill: #8b949e }
.good { fill: #56d364 }
.bad { fill: #ff7b72 }
.unsure { fill: #e3b341 }
</style>
<rect width="100%" height="100%" rx="8"/>
${texts.join("\n")}
</svg>
`;
}

/** A style begins with the sign for it, its number and an `m`. */
const styleSign = "\u001B[";

function spans(line: string): string {
  const [plain = "", ...styled] = line.split(styleSign);
  const parts = styled.map((part) => {
    const end = part.indexOf("m");
    const [style, text] = [styles.get(part.slice(0, end)), escaped(part.slice(end + 1))];
    return style === undefined || text === "" ? text : `<tspan class="${style}">${text}</tspan>`;
  });
  return `${escaped(plain)}${parts.join("")}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function fail(text: string): never {
  throw new Error(text);
}
