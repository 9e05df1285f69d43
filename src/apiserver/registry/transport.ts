import {
  ApiError,
  type CallOptions,
  type DiscoveredResource,
  keyOf,
  type KubeObject,
  notFound,
  type ObjectKey,
  type Transport,
} from "#machinery";
import type { Caller } from "#apiserver/admission";
import { createObject } from "./create.ts";
import { deleteCollection, deleteObject } from "./delete.ts";
import { discoveredResources } from "./discover.ts";
import type { Engine, Request } from "./engine.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import { noSuchResource, type Target } from "./resources.ts";
import { awaitRevision, parseRevision } from "./revisions.ts";
import { rescale, scaleOf } from "./scale.ts";
import { updateObject } from "./update.ts";
import { oneInVersion } from "./versions.ts";
import { watchObjects } from "./watch.ts";
