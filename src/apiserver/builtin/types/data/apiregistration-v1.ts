// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"APIService":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"APIServiceSpec","always":true},"status":{"number":3,"type":"APIServiceStatus","always":true}}},
"APIServiceCondition":{"fields":{"type":{"number":1,"type":"string","always":true,"required":true},"status":{"number":2,"type":"string","always":true,"required":true},"lastTransitionTime":{"number":3,"type":"time","always":true},"reason":{"number":4,"type":"string"},"message":{"number":5,"type":"string"}}},
"APIServiceSpec":{"fields":{"service":{"number":1,"type":"*ServiceReference"},"group":{"number":2,"type":"string"},"version":{"number":3,"type":"string"},"insecureSkipTLSVerify":{"number":4,"type":"bool"},"caBundle":{"number":5,"type":"bytes","listType":"atomic"},"groupPriorityMinimum":{"number":7,"type":"int32","always":true,"required":true},"versionPriority":{"number":8,"type":"int32","always":true,"required":true}}},
"APIServiceStatus":{"fields":{"conditions":{"number":1,"type":"[]APIServiceCondition","listType":"map","listKeys":["type"],"patchStrategy":"merge","patchKey":"type"}}},
"ServiceReference":{"fields":{"namespace":{"number":1,"type":"string"},"name":{"number":2,"type":"string"},"port":{"number":3,"type":"*int32"}}}
}`;
