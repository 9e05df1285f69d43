export {
  type Admission,
  type AdmissionContext,
  admissionOf,
  type AdmissionPlugin,
  type AdmissionRequest,
  type Caller,
} from "./admission.ts";
export { namespaceLifecycle, namespaceStillThere } from "./namespace-lifecycle.ts";
