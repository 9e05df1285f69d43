import { describeError } from "#base";
import { type Condition, MalformedConditionsError, readConditions } from "#conditions";
import type { KubeObject } from "#machinery";

/** What stands on an object; what cannot be understood is a problem, not a crash. */
export function storedConditions(object: KubeObject): {
  readonly stored: readonly Condition[];
  readonly problems: readonly string[];
} {
  try {
    return { stored: readConditions(object), problems: [] };
  } catch (error) {
    if (!(error instanceof MalformedConditionsError)) throw error;
    return { stored: [], problems: [describeError(error)] };
  }
}
