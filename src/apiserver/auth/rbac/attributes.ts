/** What a caller wants to do: something to a resource, or to a path that belongs to none. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself, as are the two below where none is meant. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export function isAboutPath(attributes: Attributes): attributes is PathAttributes {
  return "path" in attributes;
}

/** `pods`, or `pods/log` where a part of it is meant. */
export function wholeResource({ resource, subresource }: ResourceAttributes): string {
  return subresource === "" ? resource : `${resource}/${subresource}`;
}
