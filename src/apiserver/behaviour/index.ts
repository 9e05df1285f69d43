import { describe } from "vitest";
import { admissionWebhookSentences } from "./admission-webhooks.ts";
import { applySentences } from "./apply.ts";
import { conversionWebhookSentences } from "./conversion-webhooks.ts";
import { createSentences } from "./create.ts";
import { customResourceSentences } from "./custom-resources.ts";
import { deleteSentences } from "./delete.ts";
import { eventSentences } from "./events.ts";
import { garbageSentences } from "./garbage.ts";
import { listSentences } from "./list.ts";
import { metadataSentences } from "./metadata.ts";
import { namespaceSentences } from "./namespaces.ts";
import { patchSentences } from "./patch.ts";
import { schemaSentences } from "./schemas.ts";
import { type Sentence, sentences, type Subject } from "./scene.ts";
import { subresourceSentences } from "./subresources.ts";
import { updateSentences } from "./update.ts";
import { watchSentences } from "./watch.ts";
import { webhookFailureSentences } from "./webhook-failures.ts";

export { converting, definitions, reviewAnswer, withThings } from "./conversion-scene.ts";
export { brief, watching } from "./events-of.ts";
export type { Subject } from "./scene.ts";
export { changed, openWebhook, reviewed, type WebhookServer } from "./webhook-server.ts";

const topics: Readonly<Record<string, (sentence: Sentence) => void>> = {
  "creating objects": createSentences,
  "updating objects": updateSentences,
  metadata: metadataSentences,
  "patching objects": patchSentences,
  "applying objects": applySentences,
  "deleting objects": deleteSentences,
  "garbage collection": garbageSentences,
  namespaces: namespaceSentences,
  "listing objects": listSentences,
  "watching objects": watchSentences,
  "status and scale": subresourceSentences,
  schemas: schemaSentences,
  "custom resources": customResourceSentences,
  "kinds with rules of their own": eventSentences,
  "admission webhooks": admissionWebhookSentences,
  "webhooks that fail": webhookFailureSentences,
  "conversion webhooks": conversionWebhookSentences,
};

/** What an API server does, whoever it is and however it is reached. */
export function behaviourSuite(open: () => Promise<Subject>): void {
  for (const [topic, register] of Object.entries(topics)) describe(topic, () => register(sentences(open)));
}
