import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, type Duration, type Logger, seconds } from "#base";
import { WebhookCertificateError } from "../errors.ts";
import type { CertificatePair, CertificateSource } from "./serving-certificate.ts";

/** Where a certificate lies, and how often somebody looks whether there is another. */
export interface CertificateFilesOptions {
  readonly folder: string;
  /** tls.crt unless told. */
  readonly certificateName?: string;
  /** tls.key unless told. */
  readonly keyName?: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ten seconds unless told. */
  readonly interval?: Duration;
}

/** The certificate in a folder, read again when it changes: the folder may be a mounted Secret. */
export function certificateFiles(options: CertificateFilesOptions): CertificateSource {
  const { folder, certificateName = "tls.crt", keyName = "tls.key", clock, log, interval = seconds(10) } = options;
  let shown: CertificatePair | undefined;
  return {
    async load() {
      shown = await read();
      return shown;
    },
    async follow(onChange, { signal }) {
      while (await slept(clock, interval, signal)) {
        try {
          const next = await read();
          if (next.certificate === shown?.certificate && next.key === shown.key) continue;
          shown = next;
          onChange(next);
        } catch (error) {
          log.error("the certificate of the webhooks cannot be read again; the last one stays", error);
        }
      }
    },
  };

  async function read(): Promise<CertificatePair> {
    // One after the other, so that of two that are missing it is always the same that is named.
    const certificate = await text(certificateName);
    return checkedPair({ certificate, key: await text(keyName) }, folder);
  }

  async function text(name: string): Promise<string> {
    try {
      return await readFile(join(folder, name), "utf8");
    } catch (cause) {
      throw new WebhookCertificateError(`${join(folder, name)} cannot be read`, { cause });
    }
  }
}

/** A certificate and its key, once it is known that they belong together. */
export function checkedPair(pair: CertificatePair, where: string): CertificatePair {
  let belongs: boolean;
  try {
    belongs = new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key));
  } catch (cause) {
    throw new WebhookCertificateError(`${where} does not hold a certificate and its key in PEM`, { cause });
  }
  if (!belongs) throw new WebhookCertificateError(`the key in ${where} does not belong to the certificate`);
  return pair;
}

/** Sleeps, and answers whether it may go on. */
async function slept(clock: Clock, interval: Duration, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(interval, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
