import { labelName, type NameSyntax, pathSegmentName, rfc1035LabelName, subdomainName } from "#machinery";
import type { ResourceBehaviour } from "#apiserver/resources";

type NameProblems = ResourceBehaviour["nameProblems"];

/** `my-name.example.com`: what most kinds are called by. */
export const subdomainNames = problemsBy(subdomainName);

/** `my-name`. */
export const labelNames = problemsBy(labelName);

/** `my-name`, not beginning with a digit. */
export const labelNamesFromLetter = problemsBy(rfc1035LabelName);

/** Anything that fits into a path. */
export const pathNames = problemsBy(pathSegmentName);

/** What is wrong with a text as a subdomain. */
export const subdomainProblems = subdomainName.name;

function problemsBy({ name: whole, generateName: beginning }: NameSyntax): NameProblems {
  return (name, prefix) => (prefix ? beginning(name) : whole(name));
}
