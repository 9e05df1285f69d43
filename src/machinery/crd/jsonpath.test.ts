import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { compileJsonPath } from "./jsonpath.ts";
import { JsonPathError } from "./jsonpath-parse.ts";

const store: Json = {
  name: "jsonpath",
  book: [
    { category: "reference", author: "Nigel Rees", title: "Sayings", price: 8.95, pages: 200 },
    { category: "fiction", author: "Evelyn Waugh", title: "Sword", price: 12, pages: 80, "in.print": true },
    { category: "fiction", author: "Herman Melville", title: "Moby", price: 8, pages: 101, tags: ["a", "b"] },
  ],
  labels: { "kubernetes.io/name": "x", web: { html: "y" } },
  empty: null,
  conditions: [
    { type: "Ready", status: "True" },
    { type: "Other)", status: "False" },
  ],
};

describe("a JSONPath prints what kubectl prints", () => {
  test.each<readonly [string, string]>([
    ["hello", "hello"],
    ["{.name}", "jsonpath"],
    ["{$.name}", "jsonpath"],
    ["{@.name}", "jsonpath"],
    ["name is {.name}!", "name is jsonpath!"],
    ['{"a\\tb"}', "a\tb"],
    ["{.book[0].author}", "Nigel Rees"],
    ["{.book[-1].title}", "Moby"],
    ["{.book[0:2].title}", "Sayings Sword"],
    ["{.book[:2].title}", "Sayings Sword"],
    ["{.book[::2].title}", "Sayings Moby"],
    ["{.book[0,2].title}", "Sayings Moby"],
    ["{.book[*].price}", "8.95 12 8"],
    ["{.book[2].tags}", '["a","b"]'],
    ["{.labels.kubernetes\\.io/name}", "x"],
    ["{.labels['web']['html']}", "y"],
    ["{.labels['web', 'missing']}", '{"html":"y"}'],
    ["{..author}", "Nigel Rees Evelyn Waugh Herman Melville"],
    ["{..html}", "y"],
    ['{.conditions[?(@.type=="Ready")].status}', "True"],
    ['{.conditions[?(@.type=="Other)")].status}', "False"],
    ["{.book[?(@.pages>100)].title}", "Sayings Moby"],
    ["{.book[?(@.pages<=80)].title}", "Sword"],
    ["{.book[?(@.tags)].title}", "Moby"],
    ['{.book[?(@.category!="fiction")].title}', "Sayings"],
    ["{range .book[*]}{.title}={.price};{end}", "Sayings=8.95;Sword=12;Moby=8;"],
    ["{range .book[*]}{range .tags[*]}{@}{end}|{end}", "||ab|"],
    ["{.labels.*}", 'x {"html":"y"}'],
    ["{true}{1.5}", "true1.5"],
    ["{.empty}", "null"],
    ["{.missing}", ""],
    ["{.name.deeper}", ""],
  ])("%s", (template, printed) => {
    expect(compileJsonPath(template, { allowMissingKeys: true }).print(store)).toBe(printed);
  });
});

describe("a JSONPath that cannot be read or applied says so", () => {
  test.each<readonly [string, string]>([
    ["{.name", "unclosed action"],
    ["{.book[0}", "unterminated array"],
    ["{.book[a]}", "invalid array index a"],
    ["{.book[?(@.a==1]}", "unterminated filter"],
    ["{.....}", "invalid multiple recursive descent"],
    ["{'a}", "unterminated quoted string"],
    ["{*}", "unrecognized character in action: U+002A '*'"],
    ["{hello}", "unrecognized identifier hello"],
    ["{end}", "not in range, nothing to end"],
    ["{.missing}", "missing is not found"],
    ["{.book[9]}", "array index out of bounds: index 9, length 3"],
    ["{.book[2:1]}", "starting index 2 is greater than ending index 1"],
    ["{.book[::0]}", "step must be > 0"],
    ["{.name[0]}", "string is not array or slice"],
    ["{.labels[?(@.a==1)]}", "map[kubernetes.io/name:x web:map[html:y]] is not array or slice and cannot be filtered"],
    ['{.book[?(@.price=="x")]}', "incompatible types for comparison"],
    ["{.book[?(@.price>8)]}", "incompatible types for comparison"],
    ["{.book[?(@.price===1)]}", "unrecognized filter operator ==="],
  ])("%s", (template, message) => {
    const attempt = (): string => compileJsonPath(template).print(store);
    expect(attempt).toThrow(JsonPathError);
    expect(attempt).toThrow(message);
  });

  test("and fields of the prototype are not found", () => {
    expect(compileJsonPath("{.constructor}{.__proto__}", { allowMissingKeys: true }).print({})).toBe("");
  });
});
