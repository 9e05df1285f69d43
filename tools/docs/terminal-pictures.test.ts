import { expect, test } from "vitest";
import { terminalPicture } from "./terminal-pictures.ts";

test("a picture has a line of text for each line, in its colours, and is as wide as the longest", () => {
  const picture = terminalPicture(["$ a <b>", "\u001b[31mFalse\u001b[39m & \u001b[2mdim\u001b[22m"]);
  expect(picture.split("\n").filter((line) => line.startsWith("<text"))).toEqual([
    '<text x="14" y="27.5" xml:space="preserve">$ a &lt;b&gt;</text>',
    '<text x="14" y="45.5" xml:space="preserve"><tspan class="bad">False</tspan> &amp; <tspan class="dim">dim</tspan></text>',
  ]);
  expect(picture).toContain('width="114" height="64"');
});
