import { describe, expect, test } from "vitest";
import { TokenFileError } from "../errors.ts";
import { parseTokenFile } from "./token-file.ts";

describe("a file of static tokens", () => {
  test.each([
    ["a user", "t,joe,1", { name: "joe", uid: "1", groups: [] }],
    ["a group", "t,joe,1,devs", { name: "joe", uid: "1", groups: ["devs"] }],
    ["groups", 't,joe,1,"devs,ops"', { name: "joe", uid: "1", groups: ["devs", "ops"] }],
    ["quotes", '"t","j""oe",1', { name: 'j"oe', uid: "1", groups: [] }],
    ["blanks", 't, joe, 1, "devs,ops"', { name: "joe", uid: "1", groups: ["devs", "ops"] }],
    ["no uid", "t,joe,", { name: "joe", groups: [] }],
    ["lines", "x,ann,2\r\n\r\nt,joe,1\r\n", { name: "joe", uid: "1", groups: [] }],
    ["the later of two", "t,ann,2\nt,joe,1", { name: "joe", uid: "1", groups: [] }],
    ["another token", "x,joe,1", undefined],
    ["nothing", "", undefined],
  ])("with %s", (_, text, caller) => {
    expect(parseTokenFile(text)("t")).toEqual(caller);
  });

  test.each([
    ["t,joe", "line 1 of the token file has 2 columns; token, user name and user uid are required"],
    ["a,b,c\n,joe,1", "line 2 of the token file has no token"],
    ['t,joe,1,"devs', "line 1 of the token file is no CSV: a quote is misplaced"],
    ['t,jo"e,1', "line 1 of the token file is no CSV: a quote is misplaced"],
  ])("%j is refused", (text, message) => {
    expect(() => parseTokenFile(text)).toThrow(new TokenFileError(message));
  });
});
