import { goJson } from "./path-element.ts";

/** What tells a manager from the others of its object. */
export interface ManagerParts {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

interface Known extends ManagerParts {
  readonly id: string;
}

// The same few managers write again and again.
const knownByName = new Map<string, Known[]>();
const mostNames = 1000;
const mostPerName = 20;
const longestName = 500;

/** The id of a manager; that of an applier does not change with the API version it speaks. */
export function managerId(manager: ManagerParts): string {
  const { name, operation, apiVersion, subresource } = manager;
  for (const each of knownByName.get(name) ?? []) {
    const isSame = each.operation === operation && each.apiVersion === apiVersion && each.subresource === subresource;
    if (isSame) return each.id;
  }
  const id = printedId(manager);
  if (name.length < longestName) remember({ name, operation, apiVersion, subresource, id });
  return id;
}

function remember(manager: Known): void {
  const others = knownByName.get(manager.name) ?? [];
  if (knownByName.size === mostNames) knownByName.clear();
  knownByName.set(manager.name, [...others.slice(1 - mostPerName), manager]);
}

function printedId({ name, operation, apiVersion, subresource }: ManagerParts): string {
  const members = [
    ...(name === "" ? [] : [`"manager":${goJson(name)}`]),
    `"operation":"${operation}"`,
    ...(operation === "Apply" ? [] : [`"apiVersion":${goJson(apiVersion)}`]),
    ...(subresource === "" ? [] : [`"subresource":${goJson(subresource)}`]),
  ];
  return `{${members.join(",")}}`;
}
