import { X509Certificate } from "node:crypto";
import type { Clock } from "#base";
import type { Caller } from "#apiserver/admission";
import { credentialId } from "./well-known.ts";

/** A certificate as the TLS layer gives it. */
export interface ShownCertificate {
  /** DER. */
  readonly raw: Uint8Array;
}

/** What a certificate says about who shows it. */
export type CertificateVerdict =
  | { readonly kind: "known"; readonly caller: Caller }
  /** A good certificate that names nobody. */
  | { readonly kind: "nobody" }
  | { readonly kind: "refused"; readonly why: string };

interface Examined {
  readonly verdict: CertificateVerdict;
  readonly validFrom: number;
  readonly validTo: number;
}

const clientAuthentication = "1.3.6.1.5.5.7.3.2";
const anyUsage = "2.5.29.37.0";

/**
 * Tells who shows a certificate: CN is the user, each O a group. Only those count that one of the authorities signed,
 * for clients, and that are in force now. Each certificate is examined once; its time is looked at every time.
 */
export class ClientCertificates {
  readonly #authorities: readonly X509Certificate[];
  readonly #clock: Clock;
  readonly #examined = new WeakMap<ShownCertificate, Examined>();

  constructor(authorities: readonly string[], clock: Clock) {
    this.#authorities = authorities.flatMap(certificatesIn);
    this.#clock = clock;
  }

  callerOf(shown: ShownCertificate): CertificateVerdict {
    const known = this.#examined.get(shown);
    const { verdict, validFrom, validTo } = known ?? this.#examine(shown);
    if (verdict.kind === "refused") return verdict;
    const now = this.#clock.instant();
    if (now < validFrom) return { kind: "refused", why: "the certificate is not valid yet" };
    if (now > validTo) return { kind: "refused", why: "the certificate has expired" };
    return verdict;
  }

  #examine(shown: ShownCertificate): Examined {
    const examined = this.#read(shown);
    this.#examined.set(shown, examined);
    return examined;
  }

  #read({ raw }: ShownCertificate): Examined {
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(raw);
    } catch {
      return { verdict: { kind: "refused", why: "the certificate cannot be read" }, validFrom: 0, validTo: 0 };
    }
    return {
      verdict: this.#judge(certificate),
      validFrom: Date.parse(certificate.validFrom),
      validTo: Date.parse(certificate.validTo),
    };
  }

  #judge(certificate: X509Certificate): CertificateVerdict {
    const signed = this.#authorities.some(
      (authority) => authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
    );
    if (!signed) return { kind: "refused", why: "the certificate was signed by an unknown authority" };
    // The types leave out that a certificate may say nothing about its use.
    const usages: readonly string[] | undefined = certificate.keyUsage;
    if (usages !== undefined && !usages.includes(clientAuthentication) && !usages.includes(anyUsage)) {
      return { kind: "refused", why: "the certificate is not one for clients" };
    }
    return callerIn(certificate);
  }
}

function callerIn(certificate: X509Certificate): CertificateVerdict {
  // Not read from `subject`, a text in which a line break inside a name could pass for another name.
  const { subject } = certificate.toLegacyObject();
  const [name = ""] = listed(subject.CN).toReversed();
  if (name === "") return { kind: "nobody" };
  const fingerprint = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  const extra = { [credentialId]: [`X509SHA256=${fingerprint}`] };
  return { kind: "known", caller: { name, groups: listed(subject.O), extra } };
}

/** A part of a name that occurs several times is a list, whatever its type says. */
function listed(part: string | readonly string[] | undefined): readonly string[] {
  return part === undefined ? [] : typeof part === "string" ? [part] : part;
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}
