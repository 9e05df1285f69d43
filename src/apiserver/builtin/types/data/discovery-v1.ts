// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"Endpoint":{"fields":{"addresses":{"number":1,"type":"[]string","always":true,"required":true,"listType":"set"},"conditions":{"number":2,"type":"EndpointConditions","always":true},"hostname":{"number":3,"type":"*string"},"targetRef":{"number":4,"type":"*core/v1.ObjectReference"},"deprecatedTopology":{"number":5,"type":"map[string]string"},"nodeName":{"number":6,"type":"*string"},"zone":{"number":7,"type":"*string"},"hints":{"number":8,"type":"*EndpointHints"}}},
"EndpointConditions":{"fields":{"ready":{"number":1,"type":"*bool"},"serving":{"number":2,"type":"*bool"},"terminating":{"number":3,"type":"*bool"}}},
"EndpointHints":{"fields":{"forZones":{"number":1,"type":"[]ForZone","listType":"atomic"},"forNodes":{"number":2,"type":"[]ForNode","listType":"atomic"}}},
"EndpointPort":{"atomic":true,"fields":{"name":{"number":1,"type":"*string"},"protocol":{"number":2,"type":"*string","enum":["SCTP","TCP","UDP"]},"port":{"number":3,"type":"*int32"},"appProtocol":{"number":4,"type":"*string"}}},
"EndpointSlice":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"addressType":{"number":4,"type":"string","always":true,"required":true,"enum":["FQDN","IPv4","IPv6"]},"endpoints":{"number":2,"type":"[]Endpoint","always":true,"required":true,"listType":"atomic"},"ports":{"number":3,"type":"[]EndpointPort","always":true,"listType":"atomic"}}},
"ForNode":{"fields":{"name":{"number":1,"type":"string","always":true,"required":true}}},
"ForZone":{"fields":{"name":{"number":1,"type":"string","always":true,"required":true}}}
}`;
