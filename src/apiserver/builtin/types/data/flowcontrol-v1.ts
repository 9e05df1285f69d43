// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"ExemptPriorityLevelConfiguration":{"fields":{"nominalConcurrencyShares":{"number":1,"type":"*int32"},"lendablePercent":{"number":2,"type":"*int32"}}},
"FlowDistinguisherMethod":{"fields":{"type":{"number":1,"type":"string","always":true,"required":true}}},
"FlowSchema":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"FlowSchemaSpec","always":true},"status":{"number":3,"type":"FlowSchemaStatus","always":true}}},
"FlowSchemaCondition":{"fields":{"type":{"number":1,"type":"string"},"status":{"number":2,"type":"string"},"lastTransitionTime":{"number":3,"type":"time","always":true},"reason":{"number":4,"type":"string"},"message":{"number":5,"type":"string"}}},
"FlowSchemaSpec":{"fields":{"priorityLevelConfiguration":{"number":1,"type":"PriorityLevelConfigurationReference","always":true,"required":true},"matchingPrecedence":{"number":2,"type":"int32","always":true},"distinguisherMethod":{"number":3,"type":"*FlowDistinguisherMethod"},"rules":{"number":4,"type":"[]PolicyRulesWithSubjects","listType":"atomic"}}},
"FlowSchemaStatus":{"fields":{"conditions":{"number":1,"type":"[]FlowSchemaCondition","listType":"map","listKeys":["type"],"patchStrategy":"merge","patchKey":"type"}}},
"GroupSubject":{"fields":{"name":{"number":1,"type":"string","always":true,"required":true}}},
"LimitResponse":{"fields":{"type":{"number":1,"type":"string","always":true,"required":true},"queuing":{"number":2,"type":"*QueuingConfiguration"}}},
"LimitedPriorityLevelConfiguration":{"fields":{"nominalConcurrencyShares":{"number":1,"type":"*int32","always":true},"limitResponse":{"number":2,"type":"LimitResponse","always":true},"lendablePercent":{"number":3,"type":"*int32"},"borrowingLimitPercent":{"number":4,"type":"*int32"}}},
"NonResourcePolicyRule":{"fields":{"verbs":{"number":1,"type":"[]string","always":true,"required":true,"listType":"set"},"nonResourceURLs":{"number":6,"type":"[]string","always":true,"required":true,"listType":"set"}}},
"PolicyRulesWithSubjects":{"fields":{"subjects":{"number":1,"type":"[]Subject","always":true,"required":true,"listType":"atomic"},"resourceRules":{"number":2,"type":"[]ResourcePolicyRule","listType":"atomic"},"nonResourceRules":{"number":3,"type":"[]NonResourcePolicyRule","listType":"atomic"}}},
"PriorityLevelConfiguration":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"PriorityLevelConfigurationSpec","always":true},"status":{"number":3,"type":"PriorityLevelConfigurationStatus","always":true}}},
"PriorityLevelConfigurationCondition":{"fields":{"type":{"number":1,"type":"string"},"status":{"number":2,"type":"string"},"lastTransitionTime":{"number":3,"type":"time","always":true},"reason":{"number":4,"type":"string"},"message":{"number":5,"type":"string"}}},
"PriorityLevelConfigurationReference":{"fields":{"name":{"number":1,"type":"string","always":true,"required":true}}},
"PriorityLevelConfigurationSpec":{"fields":{"type":{"number":1,"type":"string","always":true,"required":true},"limited":{"number":2,"type":"*LimitedPriorityLevelConfiguration"},"exempt":{"number":3,"type":"*ExemptPriorityLevelConfiguration"}}},
"PriorityLevelConfigurationStatus":{"fields":{"conditions":{"number":1,"type":"[]PriorityLevelConfigurationCondition","listType":"map","listKeys":["type"],"patchStrategy":"merge","patchKey":"type"}}},
"QueuingConfiguration":{"fields":{"queues":{"number":1,"type":"int32","always":true},"handSize":{"number":2,"type":"int32","always":true},"queueLengthLimit":{"number":3,"type":"int32","always":true}}},
"ResourcePolicyRule":{"fields":{"verbs":{"number":1,"type":"[]string","always":true,"required":true,"listType":"set"},"apiGroups":{"number":2,"type":"[]string","always":true,"required":true,"listType":"set"},"resources":{"number":3,"type":"[]string","always":true,"required":true,"listType":"set"},"clusterScope":{"number":4,"type":"bool"},"namespaces":{"number":5,"type":"[]string","always":true,"listType":"set"}}},
"ServiceAccountSubject":{"fields":{"namespace":{"number":1,"type":"string","always":true,"required":true},"name":{"number":2,"type":"string","always":true,"required":true}}},
"Subject":{"fields":{"kind":{"number":1,"type":"string","always":true,"required":true},"user":{"number":2,"type":"*UserSubject"},"group":{"number":3,"type":"*GroupSubject"},"serviceAccount":{"number":4,"type":"*ServiceAccountSubject"}}},
"UserSubject":{"fields":{"name":{"number":1,"type":"string","always":true,"required":true}}}
}`;
