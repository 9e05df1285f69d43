// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"Overhead":{"fields":{"podFixed":{"number":1,"type":"map[string]quantity"}}},
"RuntimeClass":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"handler":{"number":2,"type":"string","always":true,"required":true},"overhead":{"number":3,"type":"*Overhead"},"scheduling":{"number":4,"type":"*Scheduling"}}},
"Scheduling":{"fields":{"nodeSelector":{"number":1,"type":"map[string]string","mapType":"atomic"},"tolerations":{"number":2,"type":"[]core/v1.Toleration","listType":"atomic"}}}
}`;
