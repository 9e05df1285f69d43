// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"CertificateSigningRequest":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"CertificateSigningRequestSpec","always":true,"required":true},"status":{"number":3,"type":"CertificateSigningRequestStatus","always":true}}},
"CertificateSigningRequestCondition":{"fields":{"type":{"number":1,"type":"string","always":true,"required":true},"status":{"number":6,"type":"string","always":true,"required":true},"reason":{"number":2,"type":"string"},"message":{"number":3,"type":"string"},"lastUpdateTime":{"number":4,"type":"time","always":true},"lastTransitionTime":{"number":5,"type":"time","always":true}}},
"CertificateSigningRequestSpec":{"fields":{"request":{"number":1,"type":"bytes","always":true,"required":true},"signerName":{"number":7,"type":"string","always":true,"required":true},"expirationSeconds":{"number":8,"type":"*int32"},"usages":{"number":5,"type":"[]string","listType":"atomic"},"username":{"number":2,"type":"string"},"uid":{"number":3,"type":"string"},"groups":{"number":4,"type":"[]string","listType":"atomic"},"extra":{"number":6,"type":"map[string]strings"}}},
"CertificateSigningRequestStatus":{"fields":{"conditions":{"number":1,"type":"[]CertificateSigningRequestCondition","listType":"map","listKeys":["type"]},"certificate":{"number":2,"type":"bytes"}}}
}`;
