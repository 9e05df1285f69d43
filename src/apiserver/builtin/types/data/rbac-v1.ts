// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"AggregationRule":{"fields":{"clusterRoleSelectors":{"number":1,"type":"[]meta/v1.LabelSelector","listType":"atomic"}}},
"ClusterRole":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"rules":{"number":2,"type":"[]PolicyRule","always":true,"listType":"atomic"},"aggregationRule":{"number":3,"type":"*AggregationRule"}}},
"ClusterRoleBinding":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"subjects":{"number":2,"type":"[]Subject","listType":"atomic"},"roleRef":{"number":3,"type":"RoleRef","always":true,"required":true}}},
"PolicyRule":{"fields":{"verbs":{"number":1,"type":"[]string","always":true,"required":true,"listType":"atomic"},"apiGroups":{"number":2,"type":"[]string","listType":"atomic"},"resources":{"number":3,"type":"[]string","listType":"atomic"},"resourceNames":{"number":4,"type":"[]string","listType":"atomic"},"nonResourceURLs":{"number":5,"type":"[]string","listType":"atomic"}}},
"Role":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"rules":{"number":2,"type":"[]PolicyRule","always":true,"listType":"atomic"}}},
"RoleBinding":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"subjects":{"number":2,"type":"[]Subject","listType":"atomic"},"roleRef":{"number":3,"type":"RoleRef","always":true,"required":true}}},
"RoleRef":{"atomic":true,"fields":{"apiGroup":{"number":1,"type":"string","always":true,"required":true},"kind":{"number":2,"type":"string","always":true,"required":true},"name":{"number":3,"type":"string","always":true,"required":true}}},
"Subject":{"atomic":true,"fields":{"kind":{"number":1,"type":"string","always":true,"required":true},"apiGroup":{"number":2,"type":"string"},"name":{"number":3,"type":"string","always":true,"required":true},"namespace":{"number":4,"type":"string"}}}
}`;
