import { expect } from "vitest";
import type { Subject } from "#apiserver/behaviour";
import { fieldAt, isAlreadyExists, type Kind } from "#machinery";

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** Makes a server serve a kind. */
export async function install(subject: Subject, kind: Kind): Promise<void> {
  const { transport } = subject;
  const crd = kind.crd();
  try {
    await transport.create(definitions, crd);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  await subject.eventually(async () => {
    const stored = await transport.get(definitions, { name: crd.metadata.name ?? "" });
    const conditions = fieldAt(stored, "status", "conditions");
    expect(conditions).toContainEqual(expect.objectContaining({ type: "Established", status: "True" }));
    await transport.list(kind.resource);
  });
}
