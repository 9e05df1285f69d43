import { expect, test } from "vitest";
import { errorClassesIn, errorsPage } from "./error-classes.ts";

const root = `/** The root. */
export abstract class CapstanError extends Error {
  abstract readonly code: string;
}
`;

function found(file: string, text: string) {
  return errorClassesIn(
    new Map([
      ["base/errors.ts", root],
      [file, text],
    ]),
  );
}

test("classes below CapstanError are found with code, room, sentence and whether they are terminal", () => {
  const text = `import { CapstanError } from "#base";

/** A store that
 * is closed. */
export class StoreError extends CapstanError {
  readonly code: string = "STORE";
}

/** Not ours. */
export class Other extends Error {
  readonly code = "OTHER";
}

/** A full disk. */
class DiskError extends StoreError {
  override readonly code = "DISK_FULL";
  override readonly terminal = true;

  constructor() {
    super("disk is full");
  }
}
`;
  const errors = found("apiserver/store/errors.ts", text);
  expect(errors).toEqual([
    { code: "DISK_FULL", name: "DiskError", room: "apiserver/store", text: "A full disk.", terminal: true },
    { code: "STORE", name: "StoreError", room: "apiserver/store", text: "A store that is closed.", terminal: false },
  ]);
  expect(errorsPage(errors)).toContain("| `DISK_FULL` | `DiskError` | apiserver/store | A full disk. | no |\n");
});

const refused = {
  "without a sentence": ['class A extends CapstanError {\n  readonly code = "A";\n}\n', "A has no doc comment"],
  "without a code": ["/** A. */\nclass A extends CapstanError {\n}\n", "A has no code in capitals"],
  "with a code that another has": [
    '/** A. */\nclass A extends CapstanError {\n  readonly code = "A";\n}\n/** B. */\nclass B extends CapstanError {\n  readonly code = "A";\n}\n',
    "A and B share the code A",
  ],
} as const;

test.each(Object.entries(refused))("a class %s is refused", (_, [text, why]) => {
  expect(() => found("base/a.ts", text)).toThrow(why);
});
