import type { GroupVersionKind, GroupVersionResource, JsonObject, KubeObject } from "#machinery";

/** Who makes a request. */
export interface Caller {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** More that is known of the caller, such as the credential that was shown. */
  readonly extra?: { readonly [key: string]: readonly string[] };
  /** Who this is in truth, where somebody acts as somebody else. */
  readonly impersonator?: Caller;
}

/** What a plugin is asked about. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The object as it is to be; none for a delete. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly caller: Caller;
  /** How it is to be done, as one of the kinds CreateOptions, UpdateOptions and DeleteOptions; made when asked for. */
  readonly options: () => JsonObject;
}

export interface AdmissionContext {
  readonly signal?: AbortSignal;
  readonly warn: (text: string) => void;
}

/** Has a say in writes: changes an object on its way in, or refuses it by throwing an ApiError. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Asked first, so that a resource that nobody cares for costs nothing. */
  readonly handles: (request: Pick<AdmissionRequest, "operation" | "resource" | "subresource">) => boolean;
  /** Gives the object as it shall be. Not asked about deletes, which carry none. */
  readonly mutate?: (
    object: KubeObject,
    request: AdmissionRequest,
    context: AdmissionContext,
  ) => KubeObject | Promise<KubeObject>;
  readonly validate?: (request: AdmissionRequest, context: AdmissionContext) => void | Promise<void>;
}

/** The plugins in their order: all that change come before all that only refuse. */
export interface Admission {
  /** False where no plugin cares, so that a request for them need not be put together. */
  concerns(request: Pick<AdmissionRequest, "operation" | "resource" | "subresource">): boolean;
  mutate(object: KubeObject, request: AdmissionRequest, context: AdmissionContext): Promise<KubeObject>;
  validate(request: AdmissionRequest, context: AdmissionContext): Promise<void>;
}

export function admissionOf(plugins: readonly AdmissionPlugin[]): Admission {
  return {
    concerns: (request) => plugins.some((plugin) => plugin.handles(request)),
    async mutate(object, request, context) {
      let changed = object;
      for (const plugin of plugins) {
        if (plugin.mutate === undefined || !plugin.handles(request)) continue;
        changed = await plugin.mutate(changed, { ...request, object: changed }, context);
      }
      return changed;
    },
    async validate(request, context) {
      for (const plugin of plugins) {
        if (plugin.validate !== undefined && plugin.handles(request)) await plugin.validate(request, context);
      }
    },
  };
}
