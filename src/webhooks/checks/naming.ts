import { quote } from "#base";
import { fieldAt, type FieldError, type FieldPath, invalid, type Json, subdomainName } from "#machinery";

/** What a template of names gives. */
export type RenderedName =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "invalid"; readonly why: string }
  /** It computes something, which only the topology engine can do. */
  | { readonly kind: "computed" };

const action = /\{\{-?\s*(.*?)\s*-?\}\}/gs;
const field = /^(?:\.[A-Za-z_]\w*)+$/;

/** Puts values into a template such as `{{ .cluster.name }}-{{ .random }}`. */
export function renderName(template: string, values: Json): RenderedName {
  if (/\{\{/.test(template.replaceAll(action, ""))) {
    return { kind: "invalid", why: `parsing template ${quote(template)}: unclosed action` };
  }
  const paths = [...template.matchAll(action)].map(([, path = ""]) => path);
  if (paths.some((path) => !field.test(path))) return { kind: "computed" };
  const missing = paths.find((path) => typeof valueAt(values, path) !== "string");
  if (missing !== undefined) return { kind: "invalid", why: `rendering template: ${missing} is not defined` };
  return { kind: "name", name: template.replaceAll(action, (_, path: string) => String(valueAt(values, path))) };
}

/** The names that a template gives are names of objects. */
export function namingErrors(
  template: string | undefined,
  at: FieldPath,
  { values, what }: { readonly values: Json; readonly what: string },
): readonly FieldError[] {
  if (template === undefined || template === "") return [];
  const rendered = renderName(template, values);
  switch (rendered.kind) {
    case "computed":
      return [];
    case "invalid":
      return [invalid(at, template, `invalid ${what} name template: ${rendered.why}`)];
    case "name":
      return subdomainName.name(rendered.name).map((problem) => invalid(at, template, problem));
  }
}

/** The names of Machines differ and are names of objects. */
export function machineNamingErrors(template: string | undefined, at: FieldPath): readonly FieldError[] {
  if (template === undefined || template === "") return [];
  const isSame = !template.includes("{{ .random }}");
  return [
    ...(isSame ? [invalid(at, template, "invalid template, {{ .random }} is missing")] : []),
    ...machineNameErrors(template, at),
  ];
}

function machineNameErrors(template: string, at: FieldPath): readonly FieldError[] {
  const rendered = renderName(template, {
    cluster: { name: "cluster" },
    machineSet: { name: "machineset" },
    random: "xyz12",
  });
  if (rendered.kind === "computed") return [];
  if (rendered.kind === "invalid") return [invalid(at, template, `invalid template: ${rendered.why}`)];
  const why = "invalid template, generated names would not be valid Kubernetes object names";
  return subdomainName.name(rendered.name).map((problem) => invalid(at, template, `${why}: ${problem}`));
}

function valueAt(values: Json, path: string): unknown {
  return fieldAt(values, ...path.slice(1).split("."));
}
