import { CapstanError } from "#base";

/** A schema that is nested deeper than anything legitimate. */
export class SchemaTooDeepError extends CapstanError {
  readonly code = "SCHEMA_TOO_DEEP";

  constructor() {
    super(`schema is nested deeper than ${deepestSchema} levels`);
  }
}

/** How deeply schemas may be nested. Every walk over a value follows its schema, so this also bounds the stack. */
export const deepestSchema = 300;
