/** Stands in for evidence in documentation: `${e.node.name}` reads as <node.name>, however it is treated on the way. */
export function placeholder(): object {
  return at("");
}

function at(path: string): object {
  const text = () => `<${path}>`;
  return new Proxy(text, {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === "toString" || key === "toJSON") return text;
      if (typeof key === "symbol") return undefined;
      return at(path === "" ? key : `${path}.${key}`);
    },
    // A method of the evidence, such as `names.join(",")`, reads as what it was called on.
    apply: () => at(path.slice(0, Math.max(0, path.lastIndexOf(".")))),
  });
}
