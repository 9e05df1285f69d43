import { fieldAt } from "./field-accessor.ts";
import { flag, text } from "./field-type.ts";
import { failureFields } from "./infrastructure.ts";

/** The fields of a bootstrap config. */
export const bootstrapConfig = {
  dataSecretCreated: fieldAt(["status", "initialization", "dataSecretCreated"], flag, { path: ["status", "ready"] }),
  dataSecretName: fieldAt(["status", "dataSecretName"], text),
  ...failureFields,
} as const;
