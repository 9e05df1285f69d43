import { annotations, labels } from "#api";
import { hasLabel, lacksAnnotation, type Predicate } from "#control";

/** True unless the object, after a change the new one, is paused; whatever the annotation says, its presence counts. */
export const resourceNotPaused: Predicate = lacksAnnotation(annotations.paused);

/** True for objects that this manager watches: those with its value in the filter label, or all if it has no value. */
export function resourceHasFilterLabel(value: string): Predicate {
  return hasLabel(labels.watchFilter, value);
}
