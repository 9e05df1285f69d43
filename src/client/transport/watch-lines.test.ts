import fc from "fast-check";
import { expect, test } from "vitest";
import { LineCutter } from "./watch-lines.ts";

test("however a text is cut into chunks, its lines are the same", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat(50)), (texts, sizes) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const cutter = new LineCutter(10_000);
      const found: string[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        cutter.cut(bytes.subarray(at, at + size), (line) => found.push(line.toString()));
        at += size;
      }
      expect(found).toEqual(lines.filter((line) => line !== ""));
      expect(cutter.rest()).toHaveLength(0);
    }),
  );
});

test("a line may be as long as is allowed and no longer, in one chunk or in many", () => {
  const cut = (...chunks: readonly string[]) => {
    const cutter = new LineCutter(4);
    const lines: string[] = [];
    for (const chunk of chunks) cutter.cut(Buffer.from(chunk), (line) => lines.push(String(line)));
    return lines;
  };
  expect(cut("1234\n12", "34\n")).toEqual(["1234", "1234"]);
  expect(() => cut("12345\n")).toThrow("an event of the watch is larger than 4 bytes");
  expect(() => cut("123", "45")).toThrow("an event of the watch is larger than 4 bytes");
});
