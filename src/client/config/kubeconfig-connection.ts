import { type Clock, systemClock } from "#base";
import type { Connection, Impersonation, Pem, TlsSettings } from "../connection.ts";
import { KubeconfigError } from "../errors.ts";
import type { ConfigFields } from "./config-fields.ts";
import { basicAuthorization, bearerToken, type Credentials, tokenFile } from "./credentials.ts";
import { execPlugin } from "./exec-plugin.ts";
import { readExecSettings } from "./exec-settings.ts";
import type { Environment } from "./in-cluster.ts";
import type { Kubeconfig } from "./kubeconfig.ts";

/** Which part of a kubeconfig to take, and what its programs run with. */
export interface ContextOptions {
  /** The context; the current one unless told. */
  readonly context?: string;
  /** What exec plugins find in their environment, besides what the kubeconfig gives them. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Refuses what would read files or run programs, for kubeconfigs that others have written. */
  readonly contentOnly?: boolean;
}

/** Fields that lead out of a kubeconfig. */
const leadingOut = {
  cluster: ["certificate-authority"],
  user: ["client-certificate", "client-key", "tokenFile", "exec"],
} as const;

/** The connection that a context of a kubeconfig describes. */
export function connectionOf(config: Kubeconfig, options: ContextOptions = {}): Connection {
  const { environment = {}, clock = systemClock, contentOnly = false } = options;
  const context = contextOf(config, options.context);
  const cluster = referenced(context, "cluster", config.clusters);
  if (cluster === undefined) throw context.problem("cluster", "must be set");
  const user = referenced(context, "user", config.users);
  if (contentOnly) {
    refuseFields(cluster, leadingOut.cluster);
    if (user !== undefined) refuseFields(user, leadingOut.user);
  }
  const tls = { ...clusterTls(cluster), ...(user === undefined ? {} : userTls(user)) };
  const credentials = user === undefined ? undefined : credentialsOf(user, cluster, { environment, clock });
  const impersonate = user === undefined ? undefined : impersonationOf(user);
  const namespace = context.text("namespace");
  return {
    server: serverOf(cluster),
    tls,
    compression: !cluster.flag("disable-compression"),
    ...(credentials === undefined ? {} : { credentials }),
    ...(impersonate === undefined ? {} : { impersonate }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function contextOf({ contexts, currentContext, files }: Kubeconfig, wanted?: string): ConfigFields {
  const file = files.join(", ");
  const name = wanted ?? currentContext;
  if (name === undefined) throw new KubeconfigError({ file, field: "current-context" }, "must be set");
  const context = contexts.get(name);
  if (context !== undefined) return context;
  const known = [...contexts.keys()].join(", ");
  throw new KubeconfigError({ file }, `has no context ${name}; there are: ${known === "" ? "none" : known}`);
}

function referenced(
  context: ConfigFields,
  field: string,
  entries: ReadonlyMap<string, ConfigFields>,
): ConfigFields | undefined {
  const name = context.text(field);
  if (name === undefined) return undefined;
  const entry = entries.get(name);
  if (entry === undefined) throw context.problem(field, `names ${name}, which does not exist`);
  return entry;
}

function refuseFields(fields: ConfigFields, names: readonly string[]): void {
  const name = names.find((each) => fields.has(each));
  if (name !== undefined)
    throw fields.problem(name, "is not allowed here: no files are read and no programs run for this kubeconfig");
}

function serverOf(cluster: ConfigFields): string {
  const server = cluster.requiredText("server");
  const withScheme = server.includes("://") ? server : `http://${server}`;
  const { protocol } = URL.canParse(withScheme) ? new URL(withScheme) : { protocol: "" };
  if (protocol !== "https:" && protocol !== "http:")
    throw cluster.problem("server", `must be an http or https URL, not ${server}`);
  if (cluster.text("proxy-url") !== undefined)
    throw cluster.problem("proxy-url", "is not supported: proxies are not spoken here, reach the server directly");
  return withScheme;
}

function clusterTls(cluster: ConfigFields): TlsSettings {
  const authority = pemOf(cluster, "certificate-authority");
  const serverName = cluster.text("tls-server-name");
  const insecure = cluster.flag("insecure-skip-tls-verify");
  if (insecure && authority !== undefined)
    throw cluster.problem("insecure-skip-tls-verify", "cannot be set together with a certificate authority");
  return {
    ...(authority === undefined ? {} : { authority }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(insecure ? { insecure } : {}),
  };
}

function userTls(user: ConfigFields): TlsSettings {
  const certificate = pemOf(user, "client-certificate");
  const key = pemOf(user, "client-key");
  if (certificate === undefined && key === undefined) return {};
  if (key === undefined) throw user.problem("client-key-data", "or client-key must be set for the client certificate");
  if (certificate === undefined)
    throw user.problem("client-certificate-data", "or client-certificate must be set for the client key");
  return { certificate, key };
}

/** Data wins over a file, as everywhere in a kubeconfig. */
function pemOf(fields: ConfigFields, name: string): Pem | undefined {
  const data = fields.bytes(`${name}-data`);
  if (data !== undefined) return data;
  const file = fields.filePath(name);
  return file === undefined ? undefined : { file };
}

function credentialsOf(
  user: ConfigFields,
  cluster: ConfigFields,
  { environment, clock }: { readonly environment: Environment; readonly clock: Clock },
): Credentials | undefined {
  if (user.has("auth-provider"))
    throw user.problem("auth-provider", "is not supported: it is gone from Kubernetes, use an exec plugin");
  // A file wins over a text, because it may be newer.
  const file = user.filePath("tokenFile");
  if (file !== undefined) return tokenFile(file, { clock });
  const token = user.text("token");
  // HTTP/2 would leave such a header out without a word, and the call would be nobody's.
  if (token !== undefined && !/^[\x20-\x7e]*$/.test(token))
    throw user.problem("token", "has characters that no header can hold, such as the end of a line");
  if (token !== undefined) return bearerToken(token);
  const username = user.text("username");
  if (username !== undefined) return basicAuthorization(username, user.text("password") ?? "");
  const exec = user.inside("exec");
  return exec === undefined ? undefined : execPlugin(readExecSettings(exec, cluster), { environment, clock });
}

function impersonationOf(user: ConfigFields): Impersonation | undefined {
  const name = user.text("as");
  const [uid, groups, extra] = [user.text("as-uid"), user.texts("as-groups"), user.inside("as-user-extra")];
  if (name === undefined) {
    if (uid !== undefined || groups.length > 0 || extra !== undefined) throw user.problem("as", "must be set");
    return undefined;
  }
  return {
    user: name,
    groups,
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra: Object.fromEntries(extra.names().map((key) => [key, extra.texts(key)])) }),
  };
}
