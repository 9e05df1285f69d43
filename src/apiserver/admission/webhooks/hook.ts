import { type Duration, seconds } from "#base";
import {
  compileLabelSelector,
  fieldAt,
  isJsonObject,
  type KubeObject,
  type Selector,
  type WebhookClientConfig,
} from "#machinery";
import { type HookTarget, targetOf } from "#apiserver/callout";
import { type HookConditions, hookConditions } from "./hook-conditions.ts";
import type { Rule } from "./rule.ts";

/** A webhook that has a say in writes, as its configuration describes it. */
export interface Hook {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Whether a rule for one version of a resource is a rule for all of them. */
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  readonly conditions: HookConditions;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly reinvocationPolicy: "Never" | "IfNeeded";
  /** False for one that may do more than answer even where nothing is to be written. */
  readonly isHarmless: boolean;
  readonly timeout: Duration;
  /** The version of AdmissionReview that it understands. */
  readonly reviewVersion: "v1" | "v1beta1";
  /** Where it is; throws where that cannot be read. */
  readonly target: () => HookTarget;
}

const defaultTimeout = 10;

/** The webhooks of a stored configuration, which has been checked and has its defaults. */
export function hooksOf(configuration: KubeObject): readonly Hook[] {
  const hooks = configuration["webhooks"];
  return Array.isArray(hooks) ? hooks.map(hookOf) : [];
}

function hookOf(hook: unknown): Hook {
  const text = (field: string) => textOf(fieldAt(hook, field));
  const name = text("name");
  const failurePolicy = text("failurePolicy") === "Ignore" ? "Ignore" : "Fail";
  const timeout = fieldAt(hook, "timeoutSeconds");
  const conditions = listOf(fieldAt(hook, "matchConditions")).map((each) => textOf(fieldAt(each, "expression")));
  let target: HookTarget | undefined;
  return {
    name,
    rules: listOf(fieldAt(hook, "rules")).map(ruleOf),
    matchPolicy: text("matchPolicy") === "Exact" ? "Exact" : "Equivalent",
    namespaceSelector: selectorIn(hook, "namespaceSelector"),
    objectSelector: selectorIn(hook, "objectSelector"),
    conditions: hookConditions(conditions, failurePolicy),
    failurePolicy,
    reinvocationPolicy: text("reinvocationPolicy") === "IfNeeded" ? "IfNeeded" : "Never",
    isHarmless: ["None", "NoneOnDryRun"].includes(text("sideEffects")),
    timeout: seconds(typeof timeout === "number" ? timeout : defaultTimeout),
    reviewVersion: versionIn(textsOf(fieldAt(hook, "admissionReviewVersions"))),
    target: () => (target ??= targetOf(clientOf(fieldAt(hook, "clientConfig")))),
  };
}

function ruleOf(rule: unknown): Rule {
  const texts = (field: string) => textsOf(fieldAt(rule, field));
  const scope = textOf(fieldAt(rule, "scope"));
  return {
    groups: texts("apiGroups"),
    versions: texts("apiVersions"),
    resources: texts("resources"),
    operations: texts("operations"),
    scope: scope === "Cluster" || scope === "Namespaced" ? scope : "*",
  };
}

/** The first version that both sides know; one of them is always there. */
function versionIn(versions: readonly string[]): Hook["reviewVersion"] {
  return versions.find((each) => each === "v1" || each === "v1beta1") ?? "v1";
}

/** A selector that is not there selects everything, as an empty one does. */
function selectorIn(hook: unknown, field: string): Selector {
  const selector = fieldAt(hook, field);
  return compileLabelSelector(isJsonObject(selector) ? selector : {});
}

function clientOf(config: unknown): WebhookClientConfig {
  return isJsonObject(config) ? config : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
