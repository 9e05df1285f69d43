import type { Clock } from "#base";
import type { JsonObject } from "#machinery";
import type { AdmissionPlugin, Caller } from "#apiserver/admission";
import type { Worker, WorkerOptions } from "#apiserver/collect";
import type { Plane } from "#apiserver/registry";
import { AccountTokens } from "./identity/account-tokens.ts";
import { Authenticator, type Credentials } from "./identity/authenticator.ts";
import { ClientCertificates } from "./identity/client-certificate.ts";
import { impersonated } from "./identity/impersonation.ts";
import type { StaticTokens } from "./identity/token-file.ts";
import { aggregateClusterRoles } from "./rbac/aggregation.ts";
import { type Attributes, isAboutPath } from "./rbac/attributes.ts";
import { Authorizer, type Decision } from "./rbac/authorizer.ts";
import { Bindings } from "./rbac/bindings.ts";
import { reconcileBootstrapPolicy } from "./rbac/bootstrap.ts";
import { preventEscalation } from "./rbac/escalation.ts";
import { accessReviews } from "./reviews/access-reviews.ts";
import type { AnsweredResource } from "./reviews/answered-resource.ts";
import { identityReviews } from "./reviews/identity-reviews.ts";
import { tokenRequest } from "./reviews/token-request.ts";
import { fillNamespaces } from "./upkeep/namespace-content.ts";

export interface SecurityOptions {
  /** The certificate of the authority that signed the server's own, PEM: published in every namespace. */
  readonly authority: string;
  /** Certificates of authorities that vouch for clients, PEM; the server's own unless told otherwise. */
  readonly clientAuthorities?: readonly string[];
  /** Signs tokens of service accounts: an ECDSA P-256 key, PEM. */
  readonly tokenKey: string;
  /** Who signs those tokens, a URL; also whom they are for, unless told otherwise. */
  readonly issuer: string;
  readonly audiences?: readonly string[];
  readonly staticTokens?: StaticTokens;
}

/** Decides who may do what, and answers those who ask about it. */
export interface Security {
  /** Who makes a request; throws an ApiError 401 for credentials that are not good. */
  authenticate(credentials: Credentials): Promise<Caller>;
  /** Throws an ApiError 403 where the caller may not. */
  authorize(caller: Caller, attributes: Attributes): Promise<void>;
  /** Whether the caller may, and why, without throwing. */
  decide(caller: Caller, attributes: Attributes): Decision;
  /** Reviews and token requests. */
  readonly answeredResources: readonly AnsweredResource[];
  /** What others need to check tokens of service accounts themselves, by path. */
  issuerDocuments(): Promise<{ readonly [path: string]: JsonObject }>;
  /** Publishes another certificate of the authority in every namespace. */
  publishAuthority(authority: string): void;
}

/** Security inside a server: what the server has to run, and what it shows. */
export interface SecurityParts {
  readonly security: Security;
  readonly plugins: readonly AdmissionPlugin[];
  /** Sees to it that the first roles and bindings are there, and begins to work in the background. */
  begin(): Promise<readonly Worker[]>;
}

type Background = Omit<WorkerOptions, "name" | "work">;

/** Puts security together over the objects of a server. */
export function createSecurity(
  plane: Plane,
  options: SecurityOptions,
  background: Background & { readonly uuid: () => string },
): SecurityParts {
  const { clock, uuid } = background;
  const { issuer, audiences = [issuer], authority } = options;
  const authorizer = new Authorizer(new Bindings(plane.collections));
  const tokens = new AccountTokens({ issuer, key: options.tokenKey });
  const authenticator = createAuthenticator(plane, { ...options, audiences, tokens, clock });
  let publish: (authority: string) => void = () => {};
  return {
    security: {
      async authenticate(credentials) {
        const caller = await authenticator.authenticate(credentials);
        return impersonated(caller, credentials.headers, authorizer);
      },
      authorize: async (caller, attributes) => authorizer.authorize(caller, asAsked(attributes)),
      decide: (caller, attributes) => authorizer.decide(caller, asAsked(attributes)),
      answeredResources: [
        ...identityReviews(authenticator, clock),
        ...accessReviews(authorizer),
        tokenRequest({ plane, tokens, clock, uuid, audiences }),
      ],
      issuerDocuments: () => issuerDocuments(tokens),
      publishAuthority: (next) => publish(next),
    },
    plugins: [preventEscalation(authorizer)],
    async begin() {
      await reconcileBootstrapPolicy(plane);
      const content = fillNamespaces(plane, authority, background);
      publish = (next) => content.publish(next);
      return [aggregateClusterRoles(plane, background), content];
    },
  };
}

function createAuthenticator(
  plane: Plane,
  options: SecurityOptions & {
    readonly audiences: readonly string[];
    readonly tokens: AccountTokens;
    readonly clock: Clock;
  },
): Authenticator {
  const { authority, clientAuthorities = [authority], staticTokens = () => undefined, clock } = options;
  return new Authenticator({
    certificates: new ClientCertificates(clientAuthorities, clock),
    accountTokens: options.tokens,
    staticTokens,
    plane,
    clock,
    audiences: options.audiences,
  });
}

/** A namespace counts as being in itself, so that who may do all in a namespace may read it too. */
function asAsked(attributes: Attributes): Attributes {
  if (isAboutPath(attributes) || attributes.resource !== "namespaces" || attributes.group !== "") return attributes;
  return attributes.namespace === "" ? { ...attributes, namespace: attributes.name } : attributes;
}

async function issuerDocuments(tokens: AccountTokens): Promise<{ readonly [path: string]: JsonObject }> {
  const { issuer } = tokens;
  return {
    "/.well-known/openid-configuration": {
      issuer,
      jwks_uri: `${issuer.replace(/\/$/, "")}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    },
    "/openid/v1/jwks": await tokens.publicKeys(),
  };
}
