const longest = 128;

/** Who owns what a write sets when it does not say: the client's own name for itself, up to its version. */
export function managerOf(userAgent: string | undefined): string {
  const [name = ""] = (userAgent ?? "").split("/");
  const printable = name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "");
  return printable === "" ? "unknown" : Array.from(printable).slice(0, longest).join("");
}
