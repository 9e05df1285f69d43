import type { DiscoveredResource } from "#machinery";
import { compareVersions } from "#machinery";
import type { ResourceDefinition, VersionDefinition } from "#apiserver/resources";
import type { Resources } from "./resources.ts";
