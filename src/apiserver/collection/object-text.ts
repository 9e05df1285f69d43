import { WeakCache } from "#base";
import type { KubeObject } from "#machinery";
import { joinedText } from "./part-text.ts";

// Those who wrote an object and those who watch it want its text at once; the rest can have it made again.
const texts = new WeakCache<KubeObject, string>(4 * 1024 * 1024);

/** An object as JSON, made anew from what it shares with its previous version, and remembered for whoever asks next. */
export function writeObjectText(object: KubeObject, previous?: KubeObject): string {
  const text = joinedText(object, previous);
  texts.set(object, text, text.length);
  return text;
}

/** An object as JSON, the very text under which it was stored where that was a moment ago. */
export function objectText(object: KubeObject): string {
  return texts.get(object) ?? joinedText(object);
}
