// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"Scale":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"ScaleSpec","always":true},"status":{"number":3,"type":"ScaleStatus","always":true}}},
"ScaleSpec":{"fields":{"replicas":{"number":1,"type":"int32"}}},
"ScaleStatus":{"fields":{"replicas":{"number":1,"type":"int32","always":true,"required":true},"selector":{"number":2,"type":"string"}}}
}`;
