import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connectAs } from "./record-auth/connection.ts";
import { bootstrapPolicyFile } from "./record-auth/bootstrap-policy.ts";
import { recordScenarios } from "./record-auth/scenarios.ts";

// Asks a real server who may do what, and keeps what it answers: its first roles and bindings in the source, its
// answers to reviews, refusals and attempts to escalate in test/fixtures/auth:
// npm run record-auth -- --kubeconfig FILE

const { values } = parseArgs({ options: { kubeconfig: { type: "string" } } });
if (values.kubeconfig === undefined) throw new Error("--kubeconfig is required");
const connection = connectAs(values.kubeconfig);
const target = "test/fixtures/auth";
mkdirSync(target, { recursive: true });
try {
  writeFileSync("src/apiserver/auth/rbac/bootstrap-policy.ts", await bootstrapPolicyFile(connection));
  for (const [name, recorded] of await recordScenarios(connection)) {
    const lines = recorded.map((each) => JSON.stringify(each)).join(",\n");
    writeFileSync(join(target, `${name}.json`), `[\n${lines}\n]\n`);
    console.log(`${name}: ${recorded.length}`);
  }
} finally {
  connection.close();
}
