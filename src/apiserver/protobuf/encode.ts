import { isJsonList, isJsonObject, type Json, type JsonObject } from "#machinery";
import { wireType } from "#apiserver/builtin";
import { ByteWriter } from "./byte-writer.ts";
import { encodeMessage } from "./encode-message.ts";
import { magic } from "./envelope.ts";
import { messageType } from "./message-type.ts";

const listEnding = "List";

/** Writes an object, or a list of objects, as clients read it; undefined where its kind has no message. */
export function encodeProtobuf(object: JsonObject): Buffer | undefined {
  const [apiVersion, kind] = [textOf(object["apiVersion"]), textOf(object["kind"])];
  const message = messageOf(apiVersion, kind, object);
  if (message === undefined) return undefined;
  const typeMeta = new ByteWriter().text(1, apiVersion).text(2, kind).finish();
  const envelope = new ByteWriter().bytes(1, typeMeta).bytes(2, message).text(3, "").text(4, "").finish();
  return Buffer.concat([magic, envelope]);
}

/** Writes an event of a watch with its length before it, as streams of protobuf are cut. */
export function encodeWatchEvent(type: string, object: JsonObject): Buffer | undefined {
  const content = encodeProtobuf(object);
  if (content === undefined) return undefined;
  const raw = new ByteWriter().bytes(1, content).finish();
  const event = new ByteWriter().text(1, type).bytes(2, raw).finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

function messageOf(apiVersion: string, kind: string, object: JsonObject): Buffer | undefined {
  const type = messageType(apiVersion, kind);
  if (type !== undefined) return encodeMessage(type, object);
  if (!kind.endsWith(listEnding)) return undefined;
  const itemType = messageType(apiVersion, kind.slice(0, -listEnding.length));
  return itemType === undefined ? undefined : listMessage(object, (item) => encodeMessage(itemType, item));
}

/** All lists are alike: metadata first, then the items. */
function listMessage({ metadata, items }: JsonObject, encodeItem: (item: JsonObject) => Buffer): Buffer {
  const writer = new ByteWriter();
  writer.bytes(1, encodeMessage(wireType("meta/v1.ListMeta"), isJsonObject(metadata) ? metadata : {}));
  if (isJsonList(items)) for (const item of items) writer.bytes(2, encodeItem(isJsonObject(item) ? item : {}));
  return writer.finish();
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
