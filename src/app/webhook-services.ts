import type { HostAndPort } from "#apiserver";
import { UsageError } from "./errors.ts";

/** Where webhooks that are known as services are, by `namespace/name`. */
export type WebhookServices = ReadonlyMap<string, HostAndPort>;

export const webhookServiceFlag = "--webhook-service <service>";
export const webhookServiceHelp =
  "where a webhook that is known as a service is: NAMESPACE/NAME=HOST:PORT, as often as needed";

const form = /^([^/=]+\/[^/=]+)=(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/;

/** Adds what one more flag says to what those before it said. */
export function addWebhookService(text: string, before: WebhookServices = new Map()): WebhookServices {
  const [, service, address, name, digits] = form.exec(text) ?? [];
  const [host, port] = [address ?? name, Number(digits)];
  if (service === undefined || host === undefined || port < 1 || port > 65_535) {
    throw new UsageError(`--webhook-service takes NAMESPACE/NAME=HOST:PORT, not ${text}`);
  }
  return new Map([...before, [service, { host, port }]]);
}
