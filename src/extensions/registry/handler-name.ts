import { HandlerNameError } from "../errors.ts";

/** The name under which a handler of an extension is registered: `<handler>.<ExtensionConfig>`. */
export function registeredName(handler: string, config: { readonly name: string } | undefined): string {
  if (config === undefined) throw new HandlerNameError("extensionConfig was nil");
  return `${handler}.${config.name}`;
}

/** The ExtensionConfig in the registered name of a handler. */
export function extensionNameOf(registered: string): string {
  const [, extension, ...more] = registered.split(".");
  if (extension !== undefined && more.length === 0) return extension;
  // The lone back quote stands in the reference, too.
  const form = "was not in the expected format (`HANDLER_NAME.EXTENSION_NAME)";
  throw new HandlerNameError(`registered handler name ${registered} ${form}`);
}

/** The name that an extension itself gives to a registered handler. */
export function ownHandlerName(registered: string, extension: string): string {
  const suffix = `.${extension}`;
  return registered.endsWith(suffix) ? registered.slice(0, -suffix.length) : registered;
}
