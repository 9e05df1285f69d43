export { encodeProtobuf, encodeWatchEvent } from "./encode.ts";
export { decodeProtobuf, protobufMediaType } from "./envelope.ts";
export { InvalidProtobufError } from "./errors.ts";
