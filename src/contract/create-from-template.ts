import type { Client } from "#client";
import type { ReadOptions } from "#control";
import { kindOf, type KubeObject } from "#machinery";
import { ObjectReferenceNotSetError } from "./errors.ts";
import { getExternal } from "./external-object.ts";
import { generateTemplate, type GenerateTemplateInput, type NamingOptions } from "./generate-template.ts";
import { contractReferenceTo, type ContractVersionedObjectReference, type ObjectReference } from "./references.ts";

/** What a clone is made of; the template is read by its reference. */
export interface CreateFromTemplateInput extends Omit<GenerateTemplateInput, "template" | "templateRef"> {
  /** Leads to the template, in a namespace of its own. Where an object names none, that is the error. */
  readonly templateRef: ObjectReference | undefined;
}

/** An object that was made of a template, and a reference to it. */
export interface Clone {
  readonly object: KubeObject;
  readonly ref: ContractVersionedObjectReference;
}

/**
 * Reads a template and creates an object from it. Whoever must find the object again although the answer got lost gives
 * it a name and writes that down first; nothing is deleted because an answer is missing.
 */
export async function createFromTemplate(
  client: Pick<Client, "get" | "create">,
  input: CreateFromTemplateInput,
  { random, ...options }: NamingOptions & ReadOptions,
): Promise<Clone> {
  const { templateRef } = input;
  if (templateRef === undefined) throw new ObjectReferenceNotSetError();
  const template = await getExternal(client, templateRef, options);
  const object = generateTemplate({ ...input, templateRef, template }, { random });
  const created = await client.create(kindOf(object), object, options);
  return { object: created, ref: contractReferenceTo(created) };
}
