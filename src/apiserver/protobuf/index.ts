export { decodeProtobuf, protobufMediaType } from "./envelope.ts";
export { InvalidProtobufError } from "./errors.ts";
