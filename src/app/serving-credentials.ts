import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Security } from "#apiserver";
import { ApiError } from "#machinery";

const run = promisify(execFile);

/** What a server and its administrator show each other, in PEM. */
export interface ServingCredentials {
  readonly authority: string;
  readonly serving: { readonly certificate: string; readonly key: string };
  readonly admin: { readonly certificate: string; readonly key: string };
}

/** Opens the credentials of a data folder, making them where there are none. */
export async function openServingCredentials(folder: string): Promise<ServingCredentials> {
  if (!existsSync(join(folder, "admin.crt"))) await makeAll(folder);
  const read = (name: string) => readFile(join(folder, name), "utf8");
  return {
    authority: await read("ca.crt"),
    serving: { certificate: await read("apiserver.crt"), key: await read("apiserver.key") },
    admin: { certificate: await read("admin.crt"), key: await read("admin.key") },
  };
}

const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

async function makeAll(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const openssl = (...parameters: readonly string[]) => run("openssl", parameters, { cwd: folder });
  await openssl(
    "req",
    "-x509",
    ...curve,
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
    "-subj",
    "/CN=capstan-ca",
    "-days",
    "3650",
  );
  const leaf = async (name: string, subject: string, usage: string) => {
    await openssl("req", ...curve, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
    const extensions = `extendedKeyUsage=${usage}\nsubjectAltName=IP:127.0.0.1,DNS:localhost\n`;
    await writeFile(join(folder, `${name}.ext`), extensions);
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "365", "-extfile", `${name}.ext`];
    await openssl("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.crt`, ...signed);
  };
  await leaf("apiserver", "/CN=kube-apiserver", "serverAuth");
  await leaf("admin", "/O=system:masters/CN=kubernetes-admin", "clientAuth");
}

const open = /^\/(healthz|livez|readyz|version)(\/|$)/;

/** Lets in who shows a certificate of the authority in `system:masters`; everyone else sees whether the server is well. */
export function certificateSecurity(): Security {
  return {
    authenticate({ tlsPeer }) {
      if (tlsPeer === undefined) {
        return Promise.resolve({ name: "system:anonymous", groups: ["system:unauthenticated"] });
      }
      if (!tlsPeer.trusted) {
        throw new ApiError({ httpCode: 401, reason: "Unauthorized", message: "Unauthorized" });
      }
      const { CN, O = [] } = tlsPeer.certificate.subject;
      const groups = [O].flat();
      return Promise.resolve({ name: [CN].flat()[0] ?? "", groups: [...groups, "system:authenticated"] });
    },
    authorize(caller, attributes) {
      if (caller.groups.includes("system:masters")) return Promise.resolve();
      if ("path" in attributes && open.test(attributes.path)) return Promise.resolve();
      const what =
        "path" in attributes
          ? `path ${JSON.stringify(attributes.path)}`
          : `resource ${JSON.stringify(attributes.resource)}`;
      const message = `forbidden: User ${JSON.stringify(caller.name)} cannot ${attributes.verb} ${what}`;
      throw new ApiError({ httpCode: 403, reason: "Forbidden", message, details: {} });
    },
  };
}
