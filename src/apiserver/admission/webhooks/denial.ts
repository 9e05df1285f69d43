import { quote } from "#base";
import { ApiError, isJsonList, isJsonObject, type Json, type JsonObject, type StatusDetails } from "#machinery";

const leastRefusal = 400;
const defaultCode = 400;

/** The refusal that a webhook wants: its code, reason and details, and its words after its name. */
export function denial(name: string, status: JsonObject): ApiError {
  const { code, details } = status;
  const [message, reason] = [textIn(status, "message"), textIn(status, "reason")];
  const denied = `admission webhook ${quote(name)} denied the request`;
  const why = message === "" ? reason : message;
  return new ApiError({
    httpCode: typeof code === "number" && code >= leastRefusal ? code : defaultCode,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever a webhook calls its reason is handed on
    reason: reason as ApiError["reason"],
    message: why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(isJsonObject(details) ? { details: detailsOf(details) } : {}),
  });
}

/** What is known of details, where it has the right form. */
function detailsOf(details: JsonObject): StatusDetails {
  const { causes, retryAfterSeconds } = details;
  return {
    ...textsIn(details, ["name", "group", "kind", "uid"]),
    ...(causes !== undefined && isJsonList(causes) ? { causes: causes.map(causeOf) } : {}),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
  };
}

function causeOf(cause: Json): { readonly reason?: string; readonly message?: string; readonly field?: string } {
  return isJsonObject(cause) ? textsIn(cause, ["reason", "message", "field"]) : {};
}

function textsIn<Name extends string>(object: JsonObject, names: readonly Name[]): { readonly [N in Name]?: string } {
  const texts: { [N in Name]?: string } = {};
  for (const name of names) {
    const text = textIn(object, name);
    if (text !== "") texts[name] = text;
  }
  return texts;
}

function textIn(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" ? value : "";
}
