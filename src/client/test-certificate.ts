import { generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate that vouches for itself, and its key, in PEM. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

const commonName = "550403";
const subjectAlternativeName = "551d11";
const basicConstraints = "551d13";
const ecdsaWithSha256 = "2a8648ce3d040302";

/** Makes a certificate for names and addresses. */
export function makeTestCertificate(
  name: string,
  hosts: readonly string[] = ["localhost", "127.0.0.1"],
): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(set(sequence(oid(commonName), node(0x0c, Buffer.from(name)))));
  const signature = sequence(oid(ecdsaWithSha256));
  const content = sequence(
    node(0xa0, node(0x02, Buffer.of(2))),
    node(0x02, Buffer.of(1)),
    signature,
    subject,
    sequence(node(0x18, Buffer.from("20200101000000Z")), node(0x18, Buffer.from("21200101000000Z"))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    node(
      0xa3,
      sequence(
        extension(subjectAlternativeName, sequence(...hosts.map(alternativeName))),
        extension(basicConstraints, sequence(node(0x01, Buffer.of(0xff)))),
      ),
    ),
  );
  const signed = sign("sha256", content, privateKey);
  const whole = sequence(content, signature, node(0x03, Buffer.concat([Buffer.of(0), signed])));
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 4) return node(0x87, Buffer.from(host.split(".").map(Number)));
  return node(0x82, Buffer.from(host));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), node(0x04, value));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return node(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return node(0x31, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return node(0x06, Buffer.from(hex, "hex"));
}

/** One value of DER: what it is, how long it is, and the value. */
function node(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
