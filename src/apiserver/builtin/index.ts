export { builtinKinds, type BuiltinKind, type BuiltinSubresource, isStored } from "./builtin-kind.ts";
export { builtinSchema } from "./builtin-schema.ts";
export { builtinDefinitions } from "./definitions.ts";
export { eventConversion, eventFromCore, eventsApiVersion, eventToCore } from "./event-conversion.ts";
export { readObject, zeroObject } from "./types/read-object.ts";
export { findWireType, type WireField, type WireType, wireType } from "./types/wire-type.ts";
export { builtinPrinter, type BuiltinPrinter, type TableColumn } from "./print/printer.ts";
