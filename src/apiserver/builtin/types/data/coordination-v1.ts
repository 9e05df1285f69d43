// Written by `npm run derive-builtins`; not edited by hand.
/** JSON, read when it is first needed. */
export const text = `{
"Lease":{"typed":true,"fields":{"metadata":{"number":1,"type":"meta/v1.ObjectMeta","always":true},"spec":{"number":2,"type":"LeaseSpec","always":true}}},
"LeaseSpec":{"fields":{"holderIdentity":{"number":1,"type":"*string"},"leaseDurationSeconds":{"number":2,"type":"*int32"},"acquireTime":{"number":3,"type":"*microTime"},"renewTime":{"number":4,"type":"*microTime"},"leaseTransitions":{"number":5,"type":"*int32"},"strategy":{"number":6,"type":"*string"},"preferredHolder":{"number":7,"type":"*string"}}}
}`;
