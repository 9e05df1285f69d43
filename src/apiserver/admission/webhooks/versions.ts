import type { GroupVersionKind, GroupVersionResource, Json, KubeObject } from "#machinery";
import type { AdmissionRequest } from "../admission.ts";

/** A resource, or a part of one, in one of its versions, and the kind of its objects there. */
export interface Guise {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** What webhooks have to know about the versions of resources. */
export interface Versions {
  /** The other guises of a resource, or of a part of it. */
  others(resource: GroupVersionResource, subresource: string): readonly Guise[];
  /** An object in another guise of its resource. */
  convert(object: KubeObject, to: Guise): Promise<KubeObject>;
  /** An object made of a document that a webhook has changed: of the right types, and with defaults. */
  read(document: Json, as: Guise): KubeObject;
  /** Tells whenever a resource comes, changes or goes. */
  subscribe(listener: () => void): void;
}

/** The objects of a request in one guise. */
export interface Shown {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** A request whose objects can be seen in every version, each converted once. */
export class VersionedRequest {
  readonly request: AdmissionRequest;
  readonly #versions: Versions;
  #object: KubeObject | undefined;
  readonly #shown = new Map<string, Promise<KubeObject>>();
  readonly #shownOld = new Map<string, Promise<KubeObject>>();

  constructor(request: AdmissionRequest, versions: Versions) {
    this.request = request;
    this.#versions = versions;
    this.#object = request.object;
  }

  /** The object as the last webhook left it, in the version in which that one saw it. */
  get object(): KubeObject | undefined {
    return this.#object;
  }

  async in(guise: Guise): Promise<Shown> {
    const { oldObject } = this.request;
    return {
      object: this.#object && (await this.#converted(this.#object, guise, this.#shown)),
      oldObject: oldObject && (await this.#converted(oldObject, guise, this.#shownOld)),
    };
  }

  /** From now on the object is another one. */
  replace(object: KubeObject): void {
    this.#object = object;
    this.#shown.clear();
  }

  #converted(object: KubeObject, guise: Guise, known: Map<string, Promise<KubeObject>>): Promise<KubeObject> {
    const { group, version } = guise.kind;
    const key = `${group}/${version}`;
    const shown = known.get(key) ?? this.#versions.convert(object, guise);
    known.set(key, shown);
    return shown;
  }
}
