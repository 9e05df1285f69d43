// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"BoundObjectReference":{"fields":{"kind":{"number":1,"type":"string"},"apiVersion":{"number":2,"type":"string"},"name":{"number":3,"type":"string"},"uid":{"number":4,"type":"string"}}},
"SelfSubjectReview":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"status":{"number":2,"type":"SelfSubjectReviewStatus","always":true}}},
"SelfSubjectReviewStatus":{"fields":{"userInfo":{"number":1,"type":"UserInfo","always":true}}},
"TokenRequest":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"TokenRequestSpec","always":true,"required":true},"status":{"number":3,"type":"TokenRequestStatus","always":true}}},
"TokenRequestSpec":{"fields":{"audiences":{"number":1,"type":"[]string","always":true,"required":true,"listType":"atomic"},"expirationSeconds":{"number":4,"type":"*int64","always":true},"boundObjectRef":{"number":3,"type":"*BoundObjectReference","always":true}}},
"TokenRequestStatus":{"fields":{"token":{"number":1,"type":"string","always":true,"required":true},"expirationTimestamp":{"number":2,"type":"time","always":true,"required":true}}},
"TokenReview":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"TokenReviewSpec","always":true,"required":true},"status":{"number":3,"type":"TokenReviewStatus","always":true}}},
"TokenReviewSpec":{"fields":{"token":{"number":1,"type":"string"},"audiences":{"number":2,"type":"[]string","listType":"atomic"}}},
"TokenReviewStatus":{"fields":{"authenticated":{"number":1,"type":"bool"},"user":{"number":2,"type":"UserInfo","always":true},"audiences":{"number":4,"type":"[]string","listType":"atomic"},"error":{"number":3,"type":"string"}}},
"UserInfo":{"fields":{"username":{"number":1,"type":"string"},"uid":{"number":2,"type":"string"},"groups":{"number":3,"type":"[]string","listType":"atomic"},"extra":{"number":4,"type":"map[string]strings"}}}
}`;
