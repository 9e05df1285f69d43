import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock, createLogger, parseTimestamp, seconds } from "#base";
import { certificateFiles } from "./certificate-files.ts";
import type { CertificatePair } from "./serving-certificate.ts";
import { makeWebhookCertificate } from "./webhook-authority.ts";

const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
const one = makeWebhookCertificate(["localhost"], clock.instant());
const other = makeWebhookCertificate(["localhost"], clock.instant());

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "capstan-certificate-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await put(folder, files);
  return folder;
}

/** At once, as a mounted Secret changes: nobody sees half a file. */
async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, `.${name}`), text);
    await rename(join(folder, `.${name}`), join(folder, name));
  }
}

function sourceIn(folder: string, write: (line: string) => void = () => undefined) {
  const log = createLogger({ format: "text", level: "error", clock, destination: { write } });
  return certificateFiles({ folder, clock, log });
}

const unaborted = new AbortController().signal;

test("a certificate is read again when it changes, and only then told", async () => {
  const folder = await folderWith({ "tls.crt": one.certificate, "tls.key": one.key });
  const lines: string[] = [];
  const source = sourceIn(folder, (line) => lines.push(line));
  expect(await source.load({ signal: unaborted })).toEqual({ certificate: one.certificate, key: one.key });

  const told: CertificatePair[] = [];
  const stop = new AbortController();
  const news = async (count: number) => {
    while (told.length + lines.length < count) await clock.advance(seconds(10));
  };
  const following = source.follow((pair) => told.push(pair), { signal: stop.signal });
  await clock.advance(seconds(30));

  await put(folder, { "tls.crt": other.certificate });
  await news(1);
  expect(lines[0]).toContain(`the key in ${folder} does not belong to the certificate`);

  await put(folder, { "tls.key": other.key });
  const before = lines.length;
  while (told.length === 0) await clock.advance(seconds(10));
  expect(told).toEqual([{ certificate: other.certificate, key: other.key }]);
  expect(lines.length).toBeGreaterThanOrEqual(before);
  stop.abort();
  await following;
});

test.each([
  ["no key", { "tls.crt": one.certificate }, /tls\.key cannot be read/],
  ["no certificate", { "tls.crt": "garbage", "tls.key": one.key }, /does not hold a certificate and its key in PEM/],
  [
    "another's key",
    { "tls.crt": one.certificate, "tls.key": other.key },
    /the key in .* does not belong to the certificate/,
  ],
])("a folder with %s is refused", async (_name, files, why) => {
  await expect(sourceIn(await folderWith(files)).load({ signal: unaborted })).rejects.toThrow(why);
});
