export { type OpenApi, type OpenApiDocument, openApiOf } from "./openapi.ts";
