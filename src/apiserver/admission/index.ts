export {
  type Admission,
  type AdmissionContext,
  admissionOf,
  type AdmissionPlugin,
  type AdmissionRequest,
  type Caller,
} from "./admission.ts";
export type { Guise, Versions } from "./webhooks/versions.ts";
export { admissionWebhooks, type Webhooks, type WebhooksOptions } from "./webhooks/webhooks.ts";
export { runtimeClass } from "./runtime-class.ts";
export { namespaceLifecycle, namespaceStillThere } from "./namespace-lifecycle.ts";
