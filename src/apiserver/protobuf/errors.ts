import { CapstanError } from "#base";

/** Bytes that are not the protobuf that they should be. */
export class InvalidProtobufError extends CapstanError {
  readonly code = "INVALID_PROTOBUF";
}
