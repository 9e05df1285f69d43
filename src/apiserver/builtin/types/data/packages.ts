// Written by `npm run derive-builtins`; not edited by hand.
import { text as admissionregistrationV1 } from "./admissionregistration-v1.ts";
import { text as apiextensionsV1 } from "./apiextensions-v1.ts";
import { text as apiregistrationV1 } from "./apiregistration-v1.ts";
import { text as appsV1 } from "./apps-v1.ts";
import { text as authenticationV1 } from "./authentication-v1.ts";
import { text as authorizationV1 } from "./authorization-v1.ts";
import { text as autoscalingV1 } from "./autoscaling-v1.ts";
import { text as autoscalingV2 } from "./autoscaling-v2.ts";
import { text as batchV1 } from "./batch-v1.ts";
import { text as certificatesV1 } from "./certificates-v1.ts";
import { text as coordinationV1 } from "./coordination-v1.ts";
import { text as coreV1 } from "./core-v1.ts";
import { text as discoveryV1 } from "./discovery-v1.ts";
import { text as eventsV1 } from "./events-v1.ts";
import { text as flowcontrolV1 } from "./flowcontrol-v1.ts";
import { text as metaV1 } from "./meta-v1.ts";
import { text as networkingV1 } from "./networking-v1.ts";
import { text as nodeV1 } from "./node-v1.ts";
import { text as policyV1 } from "./policy-v1.ts";
import { text as rbacV1 } from "./rbac-v1.ts";
import { text as resourceV1 } from "./resource-v1.ts";
import { text as schedulingV1 } from "./scheduling-v1.ts";
import { text as storageV1 } from "./storage-v1.ts";

/** The tables of types, as JSON, by the Go package that declares them. */
export const packages: Readonly<Record<string, string>> = {
  "admissionregistration/v1": admissionregistrationV1,
  "apiextensions/v1": apiextensionsV1,
  "apiregistration/v1": apiregistrationV1,
  "apps/v1": appsV1,
  "authentication/v1": authenticationV1,
  "authorization/v1": authorizationV1,
  "autoscaling/v1": autoscalingV1,
  "autoscaling/v2": autoscalingV2,
  "batch/v1": batchV1,
  "certificates/v1": certificatesV1,
  "coordination/v1": coordinationV1,
  "core/v1": coreV1,
  "discovery/v1": discoveryV1,
  "events/v1": eventsV1,
  "flowcontrol/v1": flowcontrolV1,
  "meta/v1": metaV1,
  "networking/v1": networkingV1,
  "node/v1": nodeV1,
  "policy/v1": policyV1,
  "rbac/v1": rbacV1,
  "resource/v1": resourceV1,
  "scheduling/v1": schedulingV1,
  "storage/v1": storageV1,
};
