import { type Clock, type Duration, seconds, systemClock } from "#base";
import {
  type CallOptions,
  describeGroupResource,
  type DiscoveredResource,
  type GroupKind,
  type GroupVersionKind,
  type GroupVersionResource,
  type Transport,
} from "#machinery";
import { NoKindMatchError, NoResourceMatchError } from "./errors.ts";
import { sharedRun } from "./shared-run.ts";

type MapperCall = Pick<CallOptions, "signal">;

/** Knows under which resource a server serves a kind, and which kind a resource holds. */
export interface RestMapper {
  /** The resource of a kind; without a version, in the version that the server prefers. */
  resourceOf(kind: GroupKind & { readonly version?: string }, options?: MapperCall): Promise<DiscoveredResource>;
  /** The kind of a resource. */
  kindOf(resource: GroupVersionResource, options?: MapperCall): Promise<GroupVersionKind>;
  /** Everything that the server served when it was last asked. */
  all(options?: MapperCall): Promise<readonly DiscoveredResource[]>;
  /** Asks the server anew with the next question. */
  forget(): void;
}

/** How a mapper keeps up with the server. */
export interface RestMapperOptions {
  readonly clock?: Clock;
  /** How long after one look at the server a kind that is not known is not looked for again. */
  readonly reloadEvery?: Duration;
}

type Known = { readonly resources: readonly DiscoveredResource[]; readonly at: Duration };

/** Maps by what the server says it serves: asked with the first question, and again when something is not found. */
export function createRestMapper(
  transport: Pick<Transport, "discover">,
  { clock = systemClock, reloadEvery = seconds(3) }: RestMapperOptions = {},
): RestMapper {
  let known: Known | undefined;
  const load = sharedRun(async (signal) => {
    const resources = await transport.discover({ signal });
    // What comes to be while the server answers may be missing, so the time counts from the end.
    known = { resources, at: clock.elapsed() };
    return known;
  });

  return {
    async resourceOf(kind, options) {
      const { group, version = "" } = kind;
      const found = await search(
        (one) =>
          one.kind === kind.kind && one.group === group && (version === "" ? one.preferred : one.version === version),
        options,
      );
      // A kind that the preferred version of its group does not have is served in another one.
      const other =
        version === "" ? known?.resources.find((one) => one.kind === kind.kind && one.group === group) : undefined;
      const best = found ?? other;
      if (best === undefined) throw new NoKindMatchError({ ...kind, version });
      return best;
    },
    async kindOf(resource, options) {
      const { group, version } = resource;
      const found = await search(
        (one) => one.resource === resource.resource && one.group === group && one.version === version,
        options,
      );
      if (found === undefined)
        throw new NoResourceMatchError(`the server serves no ${describeGroupResource(resource)} in ${version}`);
      return { group, version, kind: found.kind };
    },
    all: async (options) => (known ?? (await load(options))).resources,
    forget: () => {
      known = undefined;
    },
  };

  async function search(
    isIt: (resource: DiscoveredResource) => boolean,
    options?: MapperCall,
  ): Promise<DiscoveredResource | undefined> {
    const present = known ?? (await load(options));
    const found = present.resources.find(isIt);
    if (found !== undefined || clock.elapsed() - present.at < reloadEvery) return found;
    return (await load(options)).resources.find(isIt);
  }
}
