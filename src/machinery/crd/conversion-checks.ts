import { X509Certificate } from "node:crypto";
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { rfc1035LabelName, subdomainName } from "../name-syntax.ts";
import type { DefinitionConversion, WebhookClientConfig } from "./definition.ts";

export interface ConversionOptions {
  /** False for definitions that did without before. */
  readonly requireKnownReview: boolean;
  /** True while nobody can rely on the certificates yet. */
  readonly allowBrokenBundle: boolean;
}

const reviewVersions = ["v1", "v1beta1"];
const desiredFormat = "; desired format: https://host[/path]";

/** What is wrong with how a definition converts between its versions. */
export function conversionErrors(
  conversion: DefinitionConversion,
  path: FieldPath,
  options: ConversionOptions,
): readonly FieldError[] {
  const { strategy, webhook } = conversion;
  const config = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const at = path.child("webhookClientConfig");
  const errors: FieldError[] = [...strategyErrors(strategy, path.child("strategy"))];
  if (strategy !== "Webhook") {
    const why = "should not be set when strategy is not set to Webhook";
    if (config !== undefined) errors.push(forbidden(at, why));
    if (versions.length > 0) errors.push(forbidden(path.child("conversionReviewVersions"), why));
    return errors;
  }
  if (config === undefined) errors.push(required(at, "required when strategy is set to Webhook"));
  else errors.push(...clientErrors(config, at, options));
  return [...errors, ...reviewErrors(versions, path.child("conversionReviewVersions"), options)];
}

/** True where a list of review versions is empty or names one that servers know. */
export function hasKnownReview(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

/** What is wrong with certificates in PEM form, given in base64. */
export function bundleErrors(bundle: string, path: FieldPath): readonly FieldError[] {
  const text = Buffer.from(bundle, "base64").toString("latin1");
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g) ?? [];
  const certificates = blocks.filter((block) => block.startsWith("-----BEGIN CERTIFICATE-----"));
  if (certificates.some(isCertificate)) return [];
  const why = blocks.length === 0 ? "unable to parse bytes as PEM block" : "no valid certificate authority data seen";
  return [invalid(path, bundle, `unable to load root certificates: ${why}`)];
}

function strategyErrors(strategy: string, path: FieldPath): readonly FieldError[] {
  if (strategy === "") return [required(path)];
  const known = ["None", "Webhook"];
  return known.includes(strategy) ? [] : [notSupported(path, strategy, known)];
}

function clientErrors(config: WebhookClientConfig, path: FieldPath, options: ConversionOptions): readonly FieldError[] {
  const { url, service, caBundle = "" } = config;
  const bundle = caBundle === "" || options.allowBrokenBundle ? [] : bundleErrors(caBundle, path.child("caBundle"));
  if (url !== undefined && service === undefined) return [...urlErrors(url, path.child("url")), ...bundle];
  if (service !== undefined && url === undefined) return [...serviceErrors(service, path.child("service")), ...bundle];
  return [required(path, "exactly one of url or service is required"), ...bundle];
}

function urlErrors(url: string, path: FieldPath): readonly FieldError[] {
  const parts =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#@]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url);
  const [, scheme = "", user, host = "", query = "", fragment = ""] = parts ?? [];
  const escapes = url.split("%").slice(1);
  const broken = escapes.find((part) => !/^[0-9a-fA-F]{2}/.test(part));
  if (parts === null || broken !== undefined) {
    const escape = JSON.stringify(`%${(broken ?? "").slice(0, 2)}`);
    const why = `parse ${JSON.stringify(url)}: invalid URL escape ${escape}`;
    return [required(path, `url must be a valid URL: ${why}${desiredFormat}`)];
  }
  return [
    ...(scheme === "https" ? [] : [invalid(path, scheme, `'https' is the only allowed URL scheme${desiredFormat}`)]),
    ...(host === "" ? [invalid(path, host, `host must be specified${desiredFormat}`)] : []),
    ...(user === undefined ? [] : [invalid(path, user, "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [invalid(path, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [invalid(path, query, "query parameters are not permitted in the URL")]),
  ];
}

function serviceErrors(service: NonNullable<WebhookClientConfig["service"]>, path: FieldPath): readonly FieldError[] {
  const { name, namespace, port = 443, path: urlPath } = service;
  // Kubernetes hands the two over in the wrong order, so each is missed under the name of the other.
  return [
    ...(namespace === "" ? [required(path.child("name"))] : []),
    ...(name === "" ? [required(path.child("namespace"))] : []),
    ...(port >= 1 && port <= 65_535
      ? []
      : [invalid(path.child("port"), port, "port is not valid: must be between 1 and 65535, inclusive")]),
    ...(urlPath === undefined ? [] : pathErrors(urlPath, path.child("path"))),
  ];
}

function pathErrors(urlPath: string, path: FieldPath): readonly FieldError[] {
  if (urlPath === "" || urlPath === "/") return [];
  if (urlPath === "//") return [invalid(path, urlPath, "segment[0] may not be empty")];
  const steps = urlPath.slice(1).replace(/\/$/, "").split("/");
  return [
    ...(urlPath.startsWith("/") ? [] : [invalid(path, urlPath, "must start with a '/'")]),
    ...steps.flatMap((step, index) => {
      if (step === "") return [invalid(path, urlPath, `segment[${index}] may not be empty`)];
      return subdomainName.name(step).map((problem) => invalid(path, urlPath, `segment[${index}]: ${problem}`));
    }),
  ];
}

function reviewErrors(versions: readonly string[], path: FieldPath, options: ConversionOptions): readonly FieldError[] {
  if (versions.length === 0) return [required(path)];
  const each = versions.flatMap((version, index) => {
    const at = path.index(index);
    if (versions.indexOf(version) < index) return [invalid(at, version, "duplicate version")];
    return rfc1035LabelName.name(version).map((problem) => invalid(at, version, problem));
  });
  if (!options.requireKnownReview || hasKnownReview(versions)) return each;
  return [...each, invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`)];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
