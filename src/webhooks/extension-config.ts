import { ExtensionConfig } from "#api";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  labelName,
  type NameSyntax,
  parseRequestUri,
  required,
  rfc1035LabelName,
} from "#machinery";
import { selectorErrors } from "./checks/selector.ts";
import { defineWebhook } from "./webhook.ts";

type ClientConfig = ExtensionConfig["spec"]["clientConfig"];
type Service = NonNullable<ClientConfig["service"]>;

const spec = FieldPath.of("spec");
const clientConfigPath = spec.child("clientConfig");
const servicePath = clientConfigPath.child("service");

/** What happens to ExtensionConfigs when they are written. */
export const extensionConfigWebhook = defineWebhook<ExtensionConfig>({
  kind: ExtensionConfig,

  fillIn(_old, config) {
    const { clientConfig, ...rest } = config.spec ?? {};
    const withPort =
      clientConfig?.service === undefined
        ? clientConfig
        : { ...clientConfig, service: { port: 443, ...clientConfig.service } };
    const filled = { namespaceSelector: {}, ...rest, ...(withPort === undefined ? {} : { clientConfig: withPort }) };
    return { object: { ...config, spec: filled }, errors: [] };
  },

  refuseAll({ gates }) {
    if (gates.RuntimeSDK) return undefined;
    return forbidden(spec, "can be set only if the RuntimeSDK feature flag is enabled");
  },

  validate(_old, config) {
    const { clientConfig, namespaceSelector } = config.spec;
    const at = spec.child("namespaceSelector");
    return [
      ...nameErrors(config),
      ...reachErrors(clientConfig),
      ...(clientConfig.url === undefined ? [] : urlErrors(clientConfig.url)),
      ...(clientConfig.service === undefined ? [] : serviceErrors(clientConfig.service)),
      ...(namespaceSelector === undefined ? [required(at, "must be defined")] : selectorErrors(namespaceSelector, at)),
    ];
  },
});

/** The name becomes part of the names of handlers, where a dot has a meaning. */
function nameErrors({ metadata: { name = "" } }: ExtensionConfig): readonly FieldError[] {
  const problems = labelName.name(name);
  if (problems.length === 0) return [];
  const why = `ExtensionConfig name should be a valid DNS1123 label name: [${problems.join(" ")}]`;
  return [invalid(FieldPath.of("metadata", "name"), name, why)];
}

/** There is exactly one way to reach an extension. */
function reachErrors({ url, service }: ClientConfig): readonly FieldError[] {
  if (url === undefined && service === undefined) {
    return [required(clientConfigPath, "either url or service must be defined")];
  }
  if (url === undefined || service === undefined) return [];
  return [forbidden(clientConfigPath, "only one of url or service can be defined")];
}

function urlErrors(url: string): readonly FieldError[] {
  const at = clientConfigPath.child("url");
  const uri = parseRequestUri(url);
  if (uri.kind === "none") return [invalid(at, url, `must be a valid URL, e.g. https://example.com: ${uri.why}`)];
  if (uri.url.scheme === "https") return [];
  return [invalid(at, url, "'https' is the only allowed URL scheme, e.g. https://example.com")];
}

function serviceErrors({ name, namespace, path, port = 443 }: Service): readonly FieldError[] {
  const outOfRange = port < 1 || port > 65_535;
  const portPath = servicePath.child("port");
  return [
    ...spellingErrors(name, servicePath.child("name"), rfc1035LabelName),
    ...spellingErrors(namespace, servicePath.child("namespace"), labelName),
    ...(path === undefined ? [] : pathErrors(path)),
    ...(outOfRange ? [invalid(portPath, port, "must be between 1 and 65535, inclusive")] : []),
  ];
}

function spellingErrors(name: string, at: FieldPath, syntax: NameSyntax): readonly FieldError[] {
  if (name === "") return [required(at, "must not be empty")];
  return syntax.name(name).map((problem) => invalid(at, name, problem));
}

function pathErrors(path: string): readonly FieldError[] {
  const at = servicePath.child("path");
  const uri = parseRequestUri(path);
  const unreadable = uri.kind === "none" ? [`must be a valid URL path e.g. /path/to/hook: ${uri.why}`] : [];
  const relative = path.startsWith("/") ? [] : ['must start with "/" to be a valid URL path'];
  return [...unreadable, ...relative].map((why) => invalid(at, path, why));
}
