// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"CrossVersionObjectReference":{"atomic":true,"fields":{"kind":{"number":1,"type":"string","always":true,"required":true},"name":{"number":2,"type":"string","always":true,"required":true},"apiVersion":{"number":3,"type":"string"}}},
"HorizontalPodAutoscaler":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"HorizontalPodAutoscalerSpec","always":true},"status":{"number":3,"type":"HorizontalPodAutoscalerStatus","always":true}}},
"HorizontalPodAutoscalerSpec":{"fields":{"scaleTargetRef":{"number":1,"type":"CrossVersionObjectReference","always":true,"required":true},"minReplicas":{"number":2,"type":"*int32"},"maxReplicas":{"number":3,"type":"int32","always":true,"required":true},"targetCPUUtilizationPercentage":{"number":4,"type":"*int32"}}},
"HorizontalPodAutoscalerStatus":{"fields":{"observedGeneration":{"number":1,"type":"*int64"},"lastScaleTime":{"number":2,"type":"*time"},"currentReplicas":{"number":3,"type":"int32","always":true,"required":true},"desiredReplicas":{"number":4,"type":"int32","always":true,"required":true},"currentCPUUtilizationPercentage":{"number":5,"type":"*int32"}}},
"Scale":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"ScaleSpec","always":true},"status":{"number":3,"type":"ScaleStatus","always":true}}},
"ScaleSpec":{"fields":{"replicas":{"number":1,"type":"int32"}}},
"ScaleStatus":{"fields":{"replicas":{"number":1,"type":"int32","always":true,"required":true},"selector":{"number":2,"type":"string"}}}
}`;
