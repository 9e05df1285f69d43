import { execFile } from "node:child_process";
import { type Clock, type Duration, minutes, parseInstant, seconds } from "#base";
import { decodeJson, fieldAt, type Json } from "#machinery";
import { ExecPluginError } from "../errors.ts";
import { sharedRun } from "../shared-run.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { ExecSettings } from "./exec-settings.ts";
import type { Environment } from "./in-cluster.ts";

/** What a plugin runs with. */
export interface ExecPluginOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  /** How long the program may take. */
  readonly timeout?: Duration;
}

interface Issued {
  readonly credential: Credential;
  /** Milliseconds since 1970; undefined for one that holds until it is refused. */
  readonly expiresAt: number | undefined;
}

const renewBefore = seconds(10);
const longestOutput = 1_048_576;

/** Credentials that a program hands out: kept until shortly before they expire or until the server refuses them. */
export function execPlugin(settings: ExecSettings, options: ExecPluginOptions): Credentials {
  const { clock } = options;
  let issued: Issued | undefined;
  const issue = sharedRun(async (signal) => {
    issued = readCredential(await run(settings, options, signal), settings);
    return issued.credential;
  });
  return {
    async current({ signal, refused } = {}) {
      const lasts = issued !== undefined && clock.instant() < (issued.expiresAt ?? Infinity) - renewBefore;
      if (issued !== undefined && lasts && issued.credential !== refused) return issued.credential;
      return await issue(signal === undefined ? {} : { signal });
    },
  };
}

function run(settings: ExecSettings, options: ExecPluginOptions, signal: AbortSignal): Promise<string> {
  const { command, installHint } = settings;
  const { timeout = minutes(1), environment } = options;
  const info = {
    kind: "ExecCredential",
    apiVersion: settings.apiVersion,
    spec: { interactive: false, ...(settings.cluster === undefined ? {} : { cluster: settings.cluster }) },
  };
  const env = { ...environment, ...settings.variables, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  return new Promise((resolve, reject) => {
    const limits = { timeout, maxBuffer: longestOutput, signal, windowsHide: true };
    const child = execFile(command, settings.arguments, { env, ...limits }, (error, output, complaint) => {
      if (error === null) resolve(output);
      else if (signal.aborted) reject(signal.reason);
      else reject(failure(error, complaint));
    });
    child.stdin?.end();
  });

  function failure(error: Error & { readonly code?: unknown; readonly killed?: boolean }, complaint: string) {
    const { code, killed } = error;
    if (code === "ENOENT") {
      const hint = installHint === undefined ? "" : `\n\n${installHint}`;
      return new ExecPluginError(`exec plugin ${command} is not installed${hint}`, { cause: error });
    }
    const how = killed === true ? "took too long and was stopped" : `failed with ${String(code)}`;
    const said = complaint.trim();
    return new ExecPluginError(`exec plugin ${command} ${how}${said === "" ? "" : `: ${said.slice(0, 1000)}`}`);
  }
}

function readCredential(output: string, { command, apiVersion }: ExecSettings): Issued {
  const refuse = (problem: string) => new ExecPluginError(`exec plugin ${command} ${problem}`);
  let answer: Json;
  try {
    answer = decodeJson(output).value;
  } catch {
    // Its output is left out: half a credential may be in it.
    throw refuse("wrote something that is not JSON");
  }
  if (fieldAt(answer, "kind") !== "ExecCredential") throw refuse("did not write an ExecCredential");
  if (fieldAt(answer, "apiVersion") !== apiVersion)
    throw refuse(`wrote apiVersion ${String(fieldAt(answer, "apiVersion"))} where ${apiVersion} was asked for`);

  const text = (name: string): string => {
    const value = fieldAt(answer, "status", name) ?? "";
    if (typeof value !== "string") throw refuse(`wrote a status.${name} that is not a text`);
    return value;
  };
  const [token, certificate, key] = [text("token"), text("clientCertificateData"), text("clientKeyData")];
  if ((certificate === "") !== (key === "")) throw refuse("wrote only one of clientCertificateData and clientKeyData");
  if (token === "" && certificate === "") throw refuse("wrote neither a token nor a client certificate");
  return {
    credential: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(certificate === "" ? {} : { certificate: { certificate, key } }),
    },
    expiresAt: expiryOf(text("expirationTimestamp"), refuse),
  };
}

function expiryOf(text: string, refuse: (problem: string) => ExecPluginError): number | undefined {
  if (text === "") return undefined;
  try {
    return parseInstant(text);
  } catch {
    throw refuse(`wrote a status.expirationTimestamp that is not a time: ${text}`);
  }
}
