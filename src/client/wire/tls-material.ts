import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { Credential } from "../config/credentials.ts";
import type { Pem, TlsSettings } from "../connection.ts";
import { CredentialFileError } from "../errors.ts";

/** What the platform needs for a TLS connection. */
export interface TlsMaterial {
  readonly ca?: Buffer | string;
  readonly cert?: Buffer | string;
  readonly key?: Buffer | string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
}

/** Reads what settings name. A credential's certificate goes before that of the settings. */
export async function tlsMaterial(
  { authority, certificate, key, serverName, insecure = false }: TlsSettings,
  options: { readonly host: string; readonly credential?: Credential | undefined },
): Promise<TlsMaterial> {
  const issued = options.credential?.certificate;
  const [ca, cert, privateKey] = await Promise.all([
    read(authority),
    read(issued?.certificate ?? certificate),
    read(issued?.key ?? key),
  ]);
  // An address is no name to ask for; the platform then checks the certificate against the address by itself.
  const servername = serverName ?? (isIP(options.host) === 0 ? options.host : undefined);
  return {
    rejectUnauthorized: !insecure,
    ...(servername === undefined ? {} : { servername }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(privateKey === undefined ? {} : { key: privateKey }),
  };
}

async function read(pem: Pem | undefined): Promise<Buffer | string | undefined> {
  if (pem === undefined || typeof pem === "string") return pem;
  if (pem instanceof Uint8Array) return Buffer.from(pem.buffer, pem.byteOffset, pem.byteLength);
  try {
    return await readFile(pem.file);
  } catch (error) {
    throw new CredentialFileError(`failed to read ${pem.file}`, { cause: error });
  }
}
