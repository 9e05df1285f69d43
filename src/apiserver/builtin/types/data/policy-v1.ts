// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"Eviction":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"deleteOptions":{"number":2,"type":"*meta/v1.DeleteOptions"}}},
"PodDisruptionBudget":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"PodDisruptionBudgetSpec","always":true},"status":{"number":3,"type":"PodDisruptionBudgetStatus","always":true}}},
"PodDisruptionBudgetSpec":{"fields":{"minAvailable":{"number":1,"type":"*intOrString"},"selector":{"number":2,"type":"*meta/v1.LabelSelector","patchStrategy":"replace"},"maxUnavailable":{"number":3,"type":"*intOrString"},"unhealthyPodEvictionPolicy":{"number":4,"type":"*string","enum":["AlwaysAllow","IfHealthyBudget"]}}},
"PodDisruptionBudgetStatus":{"fields":{"observedGeneration":{"number":1,"type":"int64"},"disruptedPods":{"number":2,"type":"map[string]time"},"disruptionsAllowed":{"number":3,"type":"int32","always":true,"required":true},"currentHealthy":{"number":4,"type":"int32","always":true,"required":true},"desiredHealthy":{"number":5,"type":"int32","always":true,"required":true},"expectedPods":{"number":6,"type":"int32","always":true,"required":true},"conditions":{"number":7,"type":"[]meta/v1.Condition","listType":"map","listKeys":["type"],"patchStrategy":"merge","patchKey":"type"}}}
}`;
