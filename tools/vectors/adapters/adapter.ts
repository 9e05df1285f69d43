import type { Json } from "#machinery";
import type { FormName } from "../forms.ts";
import type { VectorCase } from "../vector-file.ts";

/** What an adapter is told beside the input. */
export interface AdapterContext {
  /** The time at which the call happens, where the file names one. */
  readonly now?: string;
  readonly case: VectorCase;
  /** Which reading of the case this is; only files with several readings need to ask. */
  readonly form: FormName;
}

/**
 * Hands a recorded input to the real code and its answer back in the recorded shape. It maps names and shapes and
 * decides nothing. A CapstanError that it throws becomes `{ error: <text> }`; any other error is a crash.
 */
export type Adapter = (input: Json, context: AdapterContext) => unknown;

/** The adapters of one file by operation; `*` stands for all operations that have none of their own. */
export type Adapters = Readonly<Record<string, Adapter>>;
