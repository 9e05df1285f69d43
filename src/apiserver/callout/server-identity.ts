import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** Why a certificate is not one for a name or an address; nothing where it is. A common name proves nothing. */
export function identityProblem(wanted: string, certificate: Buffer): string | undefined {
  const x509 = new X509Certificate(certificate);
  const matches = isIP(wanted) === 0 ? x509.checkHost(wanted, { subject: "never" }) : x509.checkIP(wanted);
  if (matches !== undefined) return undefined;
  const { addresses, names } = alternativeNames(x509);
  if (isIP(wanted) !== 0) {
    if (addresses.length > 0) return `x509: certificate is valid for ${addresses.join(", ")}, not ${wanted}`;
    return `x509: cannot validate certificate for ${wanted} because it doesn't contain any IP SANs`;
  }
  if (names.length > 0) return `x509: certificate is valid for ${names.join(", ")}, not ${wanted}`;
  return `x509: certificate is not valid for any names, but wanted to match ${wanted}`;
}

function alternativeNames({ subjectAltName = "" }: X509Certificate) {
  const entries = subjectAltName.split(", ");
  const those = (prefix: string) =>
    entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));
  return { names: those("DNS:"), addresses: those("IP Address:") };
}
