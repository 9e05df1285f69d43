import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { findError } from "#base";
import { InvalidYamlError, isJsonObject, type Json, parseYaml } from "#machinery";
import { KubeconfigError } from "../errors.ts";
import { ConfigFields } from "./config-fields.ts";
import type { Environment } from "./in-cluster.ts";

/** What one or several kubeconfig files say; the parts are read when they are needed. */
export interface Kubeconfig {
  /** All files that were read, first the one that wins. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, ConfigFields>;
  readonly clusters: ReadonlyMap<string, ConfigFields>;
  readonly users: ReadonlyMap<string, ConfigFields>;
}

/** Where kubeconfig files may lie. */
export interface KubeconfigPlaces {
  /** One file that must exist. */
  readonly path?: string;
  /** Read for KUBECONFIG, a list of files of which some may be missing. */
  readonly environment?: Environment;
  /** The home directory, for `.kube/config`. */
  readonly home?: string;
}

/** Reads the kubeconfig of a path, of KUBECONFIG or of the home directory; undefined where there is none. */
export async function loadKubeconfig(places: KubeconfigPlaces): Promise<Kubeconfig | undefined> {
  if (places.path !== undefined) return merged([await readConfig(places.path)]);
  const found: ConfigFields[] = [];
  for (const file of listedFiles(places)) {
    const config = await readIfPresent(file);
    if (config !== undefined) found.push(config);
  }
  return found.length === 0 ? undefined : merged(found);
}

/** Reads the text of a kubeconfig; `file` is what complaints call it and what relative paths start from. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  return merged([parseConfig(text, file)]);
}

function listedFiles({ environment = {}, home }: KubeconfigPlaces): readonly string[] {
  const listed = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (listed.length > 0) return [...new Set(listed)];
  return home === undefined ? [] : [join(home, ".kube", "config")];
}

async function readIfPresent(file: string): Promise<ConfigFields | undefined> {
  try {
    return await readConfig(file);
  } catch (error) {
    const cause = error instanceof KubeconfigError ? error.cause : undefined;
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw error;
  }
}

async function readConfig(file: string): Promise<ConfigFields> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new KubeconfigError({ file }, "cannot be read", error);
  }
  return parseConfig(text, file);
}

function parseConfig(text: string, file: string): ConfigFields {
  let content: Json;
  try {
    content = parseYaml(text);
  } catch (error) {
    if (findError(error, InvalidYamlError) === undefined) throw error;
    throw new KubeconfigError({ file }, "is not YAML", error);
  }
  // An empty file is a kubeconfig without anything, as kubectl leaves one behind.
  const fields = content ?? {};
  if (!isJsonObject(fields)) throw new KubeconfigError({ file }, "is not an object");
  const config = new ConfigFields(file, "", fields);
  const kind = config.text("kind") ?? "Config";
  if (kind !== "Config") throw config.problem("kind", `must be Config, not ${kind}`);
  const version = config.text("apiVersion") ?? "v1";
  if (version !== "v1") throw config.problem("apiVersion", `must be v1, not ${version}`);
  return config;
}

/** The first file that names a thing decides about it. */
function merged(configs: readonly ConfigFields[]): Kubeconfig {
  return {
    files: configs.map(({ file }) => file),
    currentContext: configs.map((config) => config.text("current-context")).find((name) => name !== undefined),
    contexts: firstOfEach(configs.map((config) => config.named("contexts", "context"))),
    clusters: firstOfEach(configs.map((config) => config.named("clusters", "cluster"))),
    users: firstOfEach(configs.map((config) => config.named("users", "user"))),
  };
}

function firstOfEach(maps: readonly ReadonlyMap<string, ConfigFields>[]): ReadonlyMap<string, ConfigFields> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
