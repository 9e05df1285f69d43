import {
  labelName,
  labelValueProblems,
  qualifiedNameProblems,
  rfc1035LabelName,
  subdomainName,
  type Syntax,
} from "#machinery";
import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { listType, optionalType, stringType, structType, type Type } from "../check/type.ts";
import { PlainList } from "../values/list.ts";
import { isDate, isDateTime } from "../values/date.ts";
import { ObjectValue, OptionalValue } from "../values/value.ts";
import { instance, string } from "./kinds.ts";
import { parseUrl } from "./url-parse.ts";

/** A format of texts that can be checked by name. */
export class NamedFormat extends ObjectValue {
  readonly typeName = "kubernetes.NamedFormat";
  readonly name: string;
  readonly problemsOf: Syntax;
  /** How long a pattern it counts as where costs are computed. */
  override readonly size: number;

  constructor(name: string, size: number, problemsOf: Syntax) {
    super();
    this.name = name;
    this.size = size;
    this.problemsOf = problemsOf;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const formats: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: new NamedFormat("DNS1123Label", 30, labelName.name),
  dns1123Subdomain: new NamedFormat("DNS1123Subdomain", 60, subdomainName.name),
  dns1035Label: new NamedFormat("DNS1035Label", 30, rfc1035LabelName.name),
  qualifiedName: new NamedFormat("QualifiedName", 60, qualifiedNameProblems),
  dns1123LabelPrefix: new NamedFormat("DNS1123LabelPrefix", 30, labelName.generateName),
  dns1123SubdomainPrefix: new NamedFormat("DNS1123SubdomainPrefix", 60, subdomainName.generateName),
  dns1035LabelPrefix: new NamedFormat("DNS1035LabelPrefix", 30, rfc1035LabelName.generateName),
  labelValue: new NamedFormat("LabelValue", 40, labelValueProblems),
  uri: new NamedFormat("URI", 1103, uriProblems),
  uuid: new NamedFormat("uuid", 70, complaining("does not match the UUID format", isUuid)),
  byte: new NamedFormat("byte", 84, complaining("invalid base64", isBase64)),
  date: new NamedFormat("date", 71, complaining("invalid date", isDate)),
  datetime: new NamedFormat("datetime", 71, complaining("invalid datetime", isDateTime)),
};

export const namedFormatType: Type = structType("kubernetes.NamedFormat");

const namedFormat = instance(namedFormatType, NamedFormat);

/** Formats of Kubernetes names and of CRD schemas. */
export const namedFormats: readonly FunctionDeclaration[] = [
  {
    name: "validate",
    overloads: [
      method({
        id: "format-validate",
        parameters: [namedFormat, string],
        result: optionalType(listType(stringType)),
        run: (format, text) => {
          const problems = format.problemsOf(text);
          return problems.length === 0 ? OptionalValue.none : new OptionalValue(new PlainList([...problems]));
        },
      }),
    ],
  },
  {
    name: "format.named",
    overloads: [
      overload({
        id: "format-named",
        parameters: [string],
        result: optionalType(namedFormatType),
        run: (name) => (Object.hasOwn(formats, name) ? new OptionalValue(formats[name]) : OptionalValue.none),
      }),
    ],
  },
  ...Object.entries(formats).map(([name, format]) => ({
    name: `format.${name}`,
    overloads: [overload({ id: `format.${name}`, parameters: [], result: namedFormatType, run: () => format })],
  })),
];

function complaining(problem: string, isFine: (text: string) => boolean): Syntax {
  return (text) => (isFine(text) ? [] : [problem]);
}

function uriProblems(text: string): readonly string[] {
  const parsed = parseUrl(text, { strict: true });
  return "problem" in parsed ? [parsed.problem] : [];
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
