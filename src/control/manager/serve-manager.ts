import type { CertificateSource } from "../webhook/serving-certificate.ts";
import { webhookMetricsIn } from "../webhook/webhook-metrics.ts";
import { type AdmissionWebhook, serveWebhooks } from "../webhook/webhook-server.ts";
import { RunnableFailedError } from "../errors.ts";
import { serveDiagnostics } from "./diagnostics-server.ts";
import { serveHealth } from "./health-server.ts";
import type { ListenAddress } from "./http-listener.ts";
import type { Started } from "./manager.ts";
import type { ManagerParts, Running } from "./run-manager.ts";

/** Where admission webhooks are served, and which. */
export interface WebhookServing extends Omit<ListenAddress, "tls"> {
  readonly certificate: CertificateSource;
  readonly webhooks: readonly AdmissionWebhook[];
}

/** Opens whatever a manager serves; each server is handed over as soon as it is there, so that it is closed whatever comes. */
export async function serveManager(
  parts: ManagerParts,
  servers: AsyncDisposable[],
  running: Running,
): Promise<Started> {
  const { options, checks, metrics, passes } = parts;
  const { health, diagnostics, webhooks } = options;
  const started: { healthPort?: number; diagnosticsPort?: number; webhookPort?: number } = {};
  if (webhooks !== undefined) refuseUntilServed(parts, started);
  if (health !== undefined) {
    const server = await serveHealth(health, checks);
    servers.push(server);
    started.healthPort = server.port;
  }
  if (diagnostics !== undefined) {
    const server = await serveDiagnostics(diagnostics, { registry: metrics.registry, passes });
    servers.push(server);
    started.diagnosticsPort = server.port;
  }
  if (webhooks !== undefined) {
    const { certificate, ...serving } = webhooks;
    const { clock, log } = options;
    const shown = await certificate.load({ signal: running.signal });
    const reviews = webhookMetricsIn(metrics.registry);
    const server = await serveWebhooks({ ...serving, certificate: shown, clock, log, metrics: reviews });
    servers.push(server);
    started.webhookPort = server.port;
    running.spawn("webhook-certificate", () =>
      certificate.follow((pair) => server.renew(pair), { signal: running.signal }),
    );
  }
  return started;
}

/** Nobody sends reviews to a manager that is not ready, and one that does not serve them is not. */
function refuseUntilServed({ checks }: ManagerParts, started: { readonly webhookPort?: number }): void {
  checks.ready.set("webhook", () => {
    if (started.webhookPort === undefined) throw new RunnableFailedError("the webhooks are not served");
  });
}
