import { type FieldError, FieldPath, invalid, type KubeObject, qualifiedNameProblems, required } from "#machinery";
import { eventFromCore, eventToCore } from "../event-conversion.ts";
import { isSet, numberAt, objectAt, textAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { subdomainProblems } from "./names.ts";

const hour = 3600;
const longest = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

const common = { createOnUpdate: true, lifetimeSeconds: hour } as const;
const referenceFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** Events as the core group shows them. */
export const coreEvent: KindRules = {
  selectableFields: [
    ...referenceFields.map((field) => `involvedObject.${field}`),
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  behaviour: {
    ...common,
    // Any name goes: events were written by clients long before names were checked.
    nameProblems: () => [],
    validate: (event) => commonProblems(event, "reportingComponent"),
    validateUpdate: (event) => commonProblems(event, "reportingComponent"),
    selectableValue: selectableSource,
  },
};

/** The same events as events.k8s.io shows them, with stricter rules for those who write there. */
export const newEvent: KindRules = {
  selectableFields: [...referenceFields.map((field) => `regarding.${field}`), "reason", "reportingController", "type"],
  behaviour: {
    ...common,
    // Whichever way the event at hand is spelled.
    selectableValue: (event, field) => textAt(eventFromCore(event), ...field.split(".")),
    validate(event) {
      const core = eventToCore(event);
      return [...commonProblems(core, "reportingController"), ...seriesProblems(core), ...strictProblems(core)];
    },
    validateUpdate(event, old) {
      const [core, oldCore] = [eventToCore(event), eventToCore(old)];
      const series = JSON.stringify(core["series"]) === JSON.stringify(oldCore["series"]) ? [] : seriesProblems(core);
      return [...commonProblems(core, "reportingController"), ...series, ...changeProblems(core, oldCore)];
    },
  },
};

function commonProblems(event: KubeObject, controllerField: string): readonly FieldError[] {
  const { namespace = "" } = event.metadata;
  const modern = isSet(event, "eventTime");
  return [
    ...namespaceProblems(event, namespace, modern),
    ...(modern ? reportProblems(event, controllerField) : []),
    ...subdomainProblems(namespace).map((why) => invalid(FieldPath.of("namespace"), namespace, why)),
  ];
}

/** An event lives where its object lives; one about the cluster lives in `default`. */
function namespaceProblems(event: KubeObject, namespace: string, modern: boolean): readonly FieldError[] {
  const involved = textAt(event, "involvedObject", "namespace");
  const home = modern ? ["default", "kube-system"] : ["", "default"];
  const fits = involved === "" ? home.includes(namespace) : modern || involved === namespace;
  return fits ? [] : [invalid(FieldPath.of("involvedObject", "namespace"), involved, "does not match event.namespace")];
}

function reportProblems(event: KubeObject, controllerField: string): readonly FieldError[] {
  const controller = textAt(event, "reportingComponent");
  const at = FieldPath.of(controllerField);
  return [
    ...(controller === "" ? [required(at)] : []),
    ...qualifiedNameProblems(controller).map((why) => invalid(at, controller, why)),
    ...textProblems(event, "reportingInstance", true),
    ...textProblems(event, "action", true),
    ...textProblems(event, "reason", true),
    ...textProblems(event, "message", false),
  ];
}

function textProblems(event: KubeObject, field: keyof typeof longest, needed: boolean): readonly FieldError[] {
  const text = textAt(event, field);
  if (text === "") return needed ? [required(FieldPath.of(field))] : [];
  const most = longest[field];
  return Buffer.byteLength(text) > most
    ? [invalid(FieldPath.of(field), "", `can have at most ${most} characters`)]
    : [];
}

function seriesProblems(event: KubeObject): readonly FieldError[] {
  if (!isSet(event, "series")) return [];
  const few = (numberAt(event, "series", "count") ?? 0) < 2;
  return [
    ...(few ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(isSet(event, "series", "lastObservedTime") ? [] : [required("series.lastObservedTime")]),
  ];
}

function strictProblems(event: KubeObject): readonly FieldError[] {
  const type = textAt(event, "type");
  return [
    ...(isSet(event, "eventTime") ? [] : [required(FieldPath.of("eventTime"))]),
    ...(type === "Normal" || type === "Warning"
      ? []
      : [invalid(FieldPath.of("type"), "", `has invalid value: ${type}`)]),
    ...(isSet(event, "firstTimestamp") ? [unset("firstTimestamp")] : []),
    ...(isSet(event, "lastTimestamp") ? [unset("lastTimestamp")] : []),
    ...((numberAt(event, "count") ?? 0) === 0 ? [] : [unset("count")]),
    ...(Object.values(objectAt(event, "source")).some((part) => part !== "") ? [unset("source")] : []),
  ];
}

function unset(field: string): FieldError {
  return invalid(FieldPath.of(field), "", "needs to be unset");
}

// The real server looks at the reason twice, and says so twice.
const fixed = ["reason", "message", "reason", "type", "eventTime", "action", "reportingComponent", "reportingInstance"];

/** Nearly all of a modern event is written once. */
function changeProblems(event: KubeObject, old: KubeObject): readonly FieldError[] {
  return fixed
    .filter((field) => textAt(event, field) !== textAt(old, field))
    .map((field) => {
      const shown = field === "reportingComponent" ? "reportingController" : field;
      return invalid(FieldPath.of(shown), textAt(event, field), "field is immutable");
    });
}

/** `source` selects by the component, or by who reports where that is not said. */
function selectableSource(event: KubeObject, field: string): string | undefined {
  if (field !== "source") return undefined;
  return textAt(event, "source", "component") || textAt(event, "reportingComponent");
}
