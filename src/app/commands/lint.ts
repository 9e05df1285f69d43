import { Option } from "commander";
import { example } from "../example.ts";
import type { AddCommand } from "./index.ts";

interface LintFlags {
  readonly filename: readonly string[];
  readonly output: "text" | "json";
}

/** Adds `capstan lint`. */
export const addLint: AddCommand = (program, terminal) => {
  program
    .command("lint")
    .description("check ClusterClasses in files, without a server")
    .requiredOption(
      "-f, --filename <file...>",
      "files, or folders with YAML and JSON in them; may be given several times",
    )
    .addOption(new Option("-o, --output <form>", "how to print").choices(["text", "json"]).default("text"))
    .addHelpText("after", example("capstan lint -f examples/cluster-class.yaml", "capstan lint -f classes/ -o json"))
    .action(async ({ filename, output }: LintFlags) => {
      const { lint } = await import("#cli");
      await lint({ files: filename, output }, terminal.write);
    });
};
