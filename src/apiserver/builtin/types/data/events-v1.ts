// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"Event":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"eventTime":{"number":2,"type":"microTime","always":true,"required":true},"series":{"number":3,"type":"*EventSeries"},"reportingController":{"number":4,"type":"string"},"reportingInstance":{"number":5,"type":"string"},"action":{"number":6,"type":"string"},"reason":{"number":7,"type":"string"},"regarding":{"number":8,"type":"core/v1.ObjectReference","always":true},"related":{"number":9,"type":"*core/v1.ObjectReference"},"note":{"number":10,"type":"string"},"type":{"number":11,"type":"string"},"deprecatedSource":{"number":12,"type":"core/v1.EventSource","always":true},"deprecatedFirstTimestamp":{"number":13,"type":"time","always":true},"deprecatedLastTimestamp":{"number":14,"type":"time","always":true},"deprecatedCount":{"number":15,"type":"int32"}}},
"EventSeries":{"fields":{"count":{"number":1,"type":"int32","always":true,"required":true},"lastObservedTime":{"number":2,"type":"microTime","always":true,"required":true}}}
}`;
