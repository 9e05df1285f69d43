import { quote } from "#base";
import { type FieldError, forbidden, invalid, PrintedValue, required, tooLong } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";
import { describeKind, kindOf } from "./group-version-kind.ts";
import { qualifiedNameProblems, validateLabels } from "./labels.ts";
import { isLongerThan, labelName, type NameSyntax, subdomainName } from "./name-syntax.ts";
import type { ObjectMeta, OwnerReference } from "./object.ts";

/** How the metadata of a kind is checked. */
export interface MetadataRules {
  readonly namespaced: boolean;
  /** Subdomains unless told otherwise. */
  readonly names?: NameSyntax;
  /** True for the kinds of Kubernetes itself, whose finalizers must have a domain or be well known. */
  readonly qualifiedFinalizers?: boolean;
}

const mostAnnotationBytes = 256 * 1024;
const wellKnownFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);
const preferQualified =
  "prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers";
const ownersRepeated =
  ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject " +
  "such requests as early as 1.24; please fix your requests; duplicate UID(s) observed";

/** What is wrong with the metadata of an object, in the words and the order of kube-apiserver. */
export function validateMetadata(metadata: ObjectMeta, rules: MetadataRules, at?: FieldPath): FieldError[] {
  const paths = at === undefined ? usualPaths : pathsIn(at);
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  return [
    ...validateName(metadata, rules.names ?? subdomainName, paths),
    ...validateNamespace(metadata, rules, paths.namespace),
    ...validateGeneration(metadata, paths.generation),
    ...(labels === undefined ? [] : validateLabels(labels, paths.labels)),
    ...(annotations === undefined ? [] : validateAnnotations(annotations, paths.annotations)),
    ...(ownerReferences === undefined ? [] : validateOwnerReferences(ownerReferences, paths.ownerReferences)),
    ...(finalizers === undefined ? [] : validateFinalizers(finalizers, rules, paths.finalizers)),
  ];
}

type MetadataPaths = ReturnType<typeof pathsIn>;

// Metadata is almost always at the top of an object and almost always fine, so its paths are made once.
const usualPaths = pathsIn(FieldPath.of("metadata"));

/** What is wrong with a change of metadata beyond what `validateMetadata` finds: fields that must not change. */
export function validateMetadataUpdate(
  metadata: ObjectMeta,
  old: ObjectMeta,
  at = FieldPath.of("metadata"),
): FieldError[] {
  return [
    ...(old.deletionTimestamp === undefined ? [] : validateNoNewFinalizers(metadata, old, at.child("finalizers"))),
    ...((metadata.generation ?? 0) < (old.generation ?? 0)
      ? [invalid(at.child("generation"), metadata.generation ?? 0, "must not be decremented")]
      : []),
    ...immutableFields
      .filter((field) => (metadata[field] ?? undefined) !== (old[field] ?? undefined))
      .map((field) => invalid(at.child(field), metadata[field], "field is immutable")),
  ];
}

const immutableFields = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** What the server accepts but advises against, as its warnings say it; for a change only what is new counts. */
export function metadataWarnings(metadata: ObjectMeta, old: ObjectMeta = {}): readonly string[] {
  const known = new Set(old.finalizers);
  const unqualified = [...new Set(metadata.finalizers)].filter(
    (finalizer) => !finalizer.includes("/") && !wellKnownFinalizers.has(finalizer) && !known.has(finalizer),
  );
  const repeated = repeatedUids(metadata.ownerReferences ?? []);
  return [
    ...unqualified.toSorted().map((finalizer) => `metadata.finalizers: ${quote(finalizer)}: ${preferQualified}`),
    ...(repeated.length === 0 ? [] : [`${ownersRepeated}: ${repeated.join(", ")}`]),
  ];
}

function pathsIn(at: FieldPath) {
  return {
    name: at.child("name"),
    generateName: at.child("generateName"),
    namespace: at.child("namespace"),
    generation: at.child("generation"),
    labels: at.child("labels"),
    annotations: at.child("annotations"),
    ownerReferences: at.child("ownerReferences"),
    finalizers: at.child("finalizers"),
  };
}

function validateName(metadata: ObjectMeta, syntax: NameSyntax, paths: MetadataPaths): FieldError[] {
  const { name = "", generateName = "" } = metadata;
  const generated = generateName === "" ? [] : syntax.generateName(generateName);
  return [
    ...generated.map((problem) => invalid(paths.generateName, generateName, problem)),
    ...(name === ""
      ? [required(paths.name, "name or generateName is required")]
      : syntax.name(name).map((problem) => invalid(paths.name, name, problem))),
  ];
}

function validateNamespace({ namespace = "" }: ObjectMeta, { namespaced }: MetadataRules, at: FieldPath): FieldError[] {
  if (!namespaced) return namespace === "" ? [] : [forbidden(at, "not allowed on this type")];
  if (namespace === "") return [required(at)];
  return labelName.name(namespace).map((problem) => invalid(at, namespace, problem));
}

function validateGeneration({ generation = 0 }: ObjectMeta, at: FieldPath): FieldError[] {
  return generation < 0 ? [invalid(at, generation, "must be greater than or equal to 0")] : [];
}

/** Checks the annotations of an object. */
export function validateAnnotations(annotations: { readonly [key: string]: string }, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let codeUnits = 0;
  for (const key of Object.keys(annotations)) {
    // The domain of an annotation may be written in capitals.
    for (const problem of qualifiedNameProblems(key.toLowerCase())) errors.push(invalid(at, key, problem));
    codeUnits += key.length + (annotations[key] ?? "").length;
  }
  // No character takes more than three bytes for each of its code units.
  if (
    codeUnits * 3 > mostAnnotationBytes &&
    isLongerThan(Object.entries(annotations).flat().join(""), mostAnnotationBytes)
  )
    errors.push(tooLong(at, mostAnnotationBytes));
  return errors;
}

function validateOwnerReferences(owners: readonly OwnerReference[], at: FieldPath): FieldError[] {
  const [first, ...others] = owners.filter(({ controller }) => controller === true);
  return [
    ...owners.flatMap((owner) => validateOwnerReference(owner, at)),
    ...others.map((other) => {
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${describeOwner(first)} and ${describeOwner(other)}`;
      return invalid(at, printedInOrder(owners), text);
    }),
  ];
}

/** What came over the wire may lack even what every owner must have. */
function validateOwnerReference(owner: Partial<OwnerReference>, at: FieldPath): FieldError[] {
  const { apiVersion = "", kind = "", name = "", uid = "" } = owner;
  const { group, version } = kindOf({ apiVersion, kind });
  const isEvent = kind === "Event" && group === "" && version === "v1";
  return [
    ...(version === "" ? [invalid(at.child("apiVersion"), apiVersion, "version must not be empty")] : []),
    ...(kind === "" ? [invalid(at.child("kind"), kind, "must not be empty")] : []),
    ...(name === "" ? [invalid(at.child("name"), name, "must not be empty")] : []),
    ...(uid === "" ? [invalid(at.child("uid"), uid, "must not be empty")] : []),
    ...(isEvent
      ? [
          invalid(
            at,
            printedInOrder(owner),
            `${describeKind({ group, version, kind })} is disallowed from being an owner`,
          ),
        ]
      : []),
  ];
}

function validateFinalizers(finalizers: readonly string[], rules: MetadataRules, at: FieldPath): FieldError[] {
  const misspelt = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalid(at, finalizer, problem)),
  );
  const contradictory = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  const unqualified = rules.qualifiedFinalizers === true ? finalizers : [];
  return [
    ...misspelt,
    ...(contradictory ? [invalid(at, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")] : []),
    ...unqualified.flatMap((finalizer, index) =>
      finalizer.includes("/") || wellKnownFinalizers.has(finalizer)
        ? []
        : [invalid(at.index(index), finalizer, "name is neither a standard finalizer name nor is it fully qualified")],
    ),
  ];
}

function validateNoNewFinalizers(metadata: ObjectMeta, old: ObjectMeta, at: FieldPath): FieldError[] {
  const known = new Set(old.finalizers);
  const added = [...new Set(metadata.finalizers)].filter((finalizer) => !known.has(finalizer)).toSorted();
  if (added.length === 0) return [];
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((finalizer) => quote(finalizer)).join(", ")}}`;
  return [forbidden(at, text)];
}

function repeatedUids(owners: readonly OwnerReference[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { uid } of owners) (seen.has(uid) ? repeated : seen).add(uid);
  return [...repeated];
}

function describeOwner(owner: OwnerReference | undefined): string {
  return `${owner?.kind}/${owner?.name}`;
}

/** Owners are printed with their fields as Kubernetes declares them, not in the order of the alphabet. */
function printedInOrder(owners: Partial<OwnerReference> | readonly OwnerReference[]): PrintedValue {
  const fields = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
  return new PrintedValue(JSON.stringify(owners, fields));
}
