import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { systemClock, toError } from "#base";
import { ConformanceError, createHttpsWire, type Finding, printFindings, verifyExtension } from "#extensions";
import { UnreadableFileError } from "../errors.ts";
import { example } from "../example.ts";
import type { AddCommand } from "./index.ts";

interface VerifyOptions {
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly all?: boolean;
  readonly output: "text" | "json";
}

/** Adds `capstan extension`. */
export const addExtension: AddCommand = (program, terminal) => {
  const extension = program
    .command("extension")
    .description("work with runtime extensions")
    .addHelpText("after", example("capstan extension verify https://localhost:9443"));
  extension
    .command("verify")
    .description("check an extension, in any language, against the protocol")
    .argument("<url>", "where it is served, such as https://localhost:9443")
    .option("--ca <file>", "whom to trust for its certificate, PEM; the authorities of the system if not set")
    .option("--insecure", "trust anybody")
    .option("--all", "call hooks, too, that may change something")
    .addOption(new Option("-o, --output <form>", "how to print").choices(["text", "json"]).default("text"))
    .addHelpText("after", example("capstan extension verify https://localhost:9443 --ca ca.crt"))
    .action(async (url: string, options: VerifyOptions) => {
      const findings = await verify(url, options);
      terminal.write(
        options.output === "json" ? `${JSON.stringify(findings, undefined, 2)}\n` : printFindings(findings),
      );
      const failed = findings.filter(({ verdict }) => verdict === "failed").length;
      if (failed > 0) throw new ConformanceError(`${url} does not keep to the protocol`);
    });
};

async function verify(url: string, { ca, insecure = false, all = false }: VerifyOptions): Promise<readonly Finding[]> {
  const wire = createHttpsWire({ clock: systemClock, insecure });
  try {
    const caBundle = ca === undefined ? {} : { caBundle: (await readAuthority(ca)).toString("base64") };
    return await verifyExtension({ url, callAll: all, wire, ...caBundle });
  } finally {
    wire.close();
  }
}

async function readAuthority(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UnreadableFileError(`cannot read ${file}`, { cause: toError(error) });
  }
}
