import type { ExtensionUrl } from "./extension-url.ts";

/** A question on its way to an extension. */
export interface ExtensionPost {
  readonly url: ExtensionUrl;
  /** Whom to trust, PEM in base64; empty: the authorities of the system. */
  readonly caBundle: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What came back, whatever it is. */
export interface ExtensionReply {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Carries questions to extensions and their answers back. */
export interface ExtensionWire {
  /** Throws an ExtensionTrustError where the certificate authority is none; connects nowhere. */
  checkTrust(post: Pick<ExtensionPost, "caBundle">): void;
  /** Sends once, never again; follows no redirect, and reads no more than it was told to. */
  post(post: ExtensionPost): Promise<ExtensionReply>;
  close(): void;
}
