/** What a server shows; PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** Where the certificate of a server comes from, and how it hears of the next one. */
export interface CertificateSource {
  load(options: { readonly signal: AbortSignal }): Promise<CertificatePair>;
  /** Tells of every certificate after the one that was loaded, until its signal ends it; never fails. */
  follow(onChange: (pair: CertificatePair) => void, options: { readonly signal: AbortSignal }): Promise<void>;
}
