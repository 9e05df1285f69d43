import { WeakCache } from "#base";
import { asJson, encodeJson, type KubeObject } from "#machinery";

// Those who wrote an object and those who watch it want its text at once; the rest can have it made again.
const texts = new WeakCache<KubeObject, string>(4 * 1024 * 1024);

/** An object as JSON, made anew and remembered for whoever asks next. */
export function writeObjectText(object: KubeObject): string {
  const text = textOf(object);
  texts.set(object, text, text.length);
  return text;
}

/** An object as JSON, the very text under which it was stored where that was a moment ago. */
export function objectText(object: KubeObject): string {
  return texts.get(object) ?? textOf(object);
}

function textOf(object: KubeObject): string {
  try {
    return JSON.stringify(object);
  } catch (error) {
    // JSON.stringify refuses bigints, which are rare.
    if (!(error instanceof TypeError)) throw error;
    return encodeJson(asJson(object));
  }
}
