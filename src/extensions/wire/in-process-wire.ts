import { ConnectionError } from "#client";
import type { Extension } from "../kit/extension.ts";
import { pathAndQuery } from "./extension-url.ts";
import type { ExtensionWire } from "./extension-wire.ts";

/** Extensions in this process, by the host in their URL: `my-extension` or `my-extension:443`. */
export type InProcessExtensions = { readonly [host: string]: Pick<Extension, "answer"> };

/** Calls extensions that live in this process directly, with no port and no certificate; all others as before. */
export function withInProcess(extensions: InProcessExtensions, wire: ExtensionWire): ExtensionWire {
  return {
    checkTrust: (post) => wire.checkTrust(post),
    async post(post) {
      const { host } = post.url;
      const extension = Object.hasOwn(extensions, host) ? extensions[host] : undefined;
      if (extension === undefined) return await wire.post(post);
      const { body, signal } = post;
      try {
        const question = { method: "POST", path: pathAndQuery(post.url), body, signal };
        const answer = await orAborted(extension.answer(question), signal);
        return { status: answer.status, body: Buffer.from(answer.body) };
      } catch (error) {
        if (signal.aborted) throw error;
        throw new ConnectionError(`${host} threw instead of answering`, { mayHaveArrived: true, cause: error });
      }
    },
    close: () => wire.close(),
  };
}

/** A handler in this process may not listen to its signal; whoever waits for it leaves all the same. */
function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
