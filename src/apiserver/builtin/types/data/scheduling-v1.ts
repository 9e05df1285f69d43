// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"PriorityClass":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"value":{"number":2,"type":"int32","always":true,"required":true},"globalDefault":{"number":3,"type":"bool"},"description":{"number":4,"type":"string"},"preemptionPolicy":{"number":5,"type":"*string","enum":["Never","PreemptLowerPriority"]}}}
}`;
