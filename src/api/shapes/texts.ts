import { s } from "#machinery";

const subdomain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

/** `example.com`: names of objects and API groups. */
export const subdomainPattern = `^${subdomain}$`;

/** `a-name`: names of namespaces. */
const labelPattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

const kindPattern = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$";

const apiVersionPattern = `^${subdomain}\\/[a-z]([-a-z0-9]*[a-z0-9])?$`;

/** `[<subdomain>/]<Type>`. */
export const conditionTypePattern = `^(${subdomain}/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`;

/** The name of an object. */
export const objectName = s.string({ minLength: 1, maxLength: 253, pattern: subdomainPattern });

/** The name of an object, where a server does not look at the spelling. */
export const anyObjectName = s.string({ minLength: 1, maxLength: 253 });

export const namespaceName = s.string({ minLength: 1, maxLength: 63, pattern: labelPattern });

export const apiGroup = s
  .string({ minLength: 1, maxLength: 253, pattern: subdomainPattern })
  .describe("The API group of the object, without a version.");

export const apiVersion = s
  .string({ minLength: 1, maxLength: 317, pattern: apiVersionPattern })
  .describe("The API group and version of the object, as in group/version.");

export const kindName = s
  .string({ minLength: 1, maxLength: 63, pattern: kindPattern })
  .describe("The kind of the object.");

/** The name of a Cluster: it becomes the value of a label. */
export const clusterName = s
  .string({ minLength: 1, maxLength: 63 })
  .describe("The Cluster that this object belongs to; it cannot be changed.");

/** A name with at most that many characters. */
export function name(maxLength: number) {
  return s.string({ minLength: 1, maxLength });
}

/** A Kubernetes version. */
export const kubernetesVersion = s
  .string({ minLength: 1, maxLength: 256 })
  .describe("The Kubernetes version, such as v1.34.1; a missing v is added.");

export const failureDomainName = s
  .string({ minLength: 1, maxLength: 256 })
  .describe("The failure domain to create the machine in, one of the Cluster's status.failureDomains.");

export const providerID = s
  .string({ minLength: 1, maxLength: 512 })
  .describe("How the infrastructure provider names the machine; the Node carries the same ID.");

/** Seconds that something may take. */
export const seconds = s.integer({ minimum: 0 });

export const replicas = s.integer().describe("How many machines there shall be.");

export const minReadySeconds = s
  .integer({ minimum: 0 })
  .describe("How long a machine has to be ready before it counts as available; 0 if not set.");

/** The generation that a controller has last acted on. */
export const observedGeneration = s
  .integer({ format: "int64", minimum: 1 })
  .describe("The generation of the spec that the controller has last acted on.");
