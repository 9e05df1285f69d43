import type { KubeObject } from "#machinery";
import { joinedText } from "./part-text.ts";

// Those who wrote an object and those who watch it want its text at once; the rest can have it made again. In a ring what
// is overwritten is gone, whereas what a map forgets can live on with it until the whole memory is looked through.
const places = 128;
const longestText = 64 * 1024;

const objects = Array.from<KubeObject | undefined>({ length: places });
const texts = Array.from<string | undefined>({ length: places });
let place = 0;

/** An object as JSON, made anew from what it shares with its previous version, and remembered for whoever asks next. */
export function writeObjectText(object: KubeObject, previous?: KubeObject): string {
  const text = joinedText(object, previous);
  if (text.length > longestText) return text;
  objects[place] = object;
  texts[place] = text;
  place = (place + 1) % places;
  return text;
}

/** An object as JSON, the very text under which it was stored where that was a moment ago. */
export function objectText(object: KubeObject): string {
  return texts[objects.lastIndexOf(object)] ?? joinedText(object);
}
