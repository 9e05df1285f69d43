const reserved: ReadonlySet<string> = new Set(
  (
    "true false null in as break const continue else for function if import let loop package namespace return var " +
    "void while"
  ).split(" "),
);

const marks: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

const plainName = /^[A-Za-z][A-Za-z0-9]*$/;

/** True for a word of the language, which as a field needs no escaping where only a field can stand. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** The name under which a rule reaches a property; undefined for one that no expression can spell. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (plainName.test(name)) return name;
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[.\-/]/g, (mark) => marks[mark] ?? mark);
}
