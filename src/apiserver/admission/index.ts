export {
  type Admission,
  type AdmissionContext,
  admissionOf,
  type AdmissionPlugin,
  type AdmissionRequest,
  type Caller,
} from "./admission.ts";
export { runtimeClass } from "./runtime-class.ts";
export { namespaceLifecycle, namespaceStillThere } from "./namespace-lifecycle.ts";
