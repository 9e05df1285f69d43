import { X509Certificate } from "node:crypto";
import { describeError, wrap } from "#base";
import { ExtensionTrustError } from "../errors.ts";

const block = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** Decodes a bundle of certificate authorities, base64 of PEM; undefined where there is none. */
export function readBundle(bundle: string): string | undefined {
  if (bundle === "") return undefined;
  const pem = Buffer.from(bundle, "base64").toString("latin1");
  const blocks = [...pem.matchAll(block)];
  if (blocks.length === 0) throw untrusted("unable to parse bytes as PEM block");
  const certificates = blocks.filter(([, kind]) => kind === "CERTIFICATE").map(([text]) => text);
  const readable = certificates.filter((text) => problemOf(text) === undefined);
  if (readable.length > 0) return readable.join("\n");
  const [problem] = certificates.map(problemOf);
  throw untrusted(problem ?? "no valid certificate authority data seen");
}

function problemOf(certificate: string): string | undefined {
  try {
    void new X509Certificate(certificate);
    return undefined;
  } catch (error) {
    return `failed to parse certificate: ${describeError(error)}`;
  }
}

function untrusted(why: string): Error {
  return wrap(wrap(new ExtensionTrustError(why), "unable to load root certificates"), "failed to create tls config");
}
