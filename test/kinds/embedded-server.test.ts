import { describe } from "vitest";
import { openEmbeddedServer } from "./embedded-server.ts";
import { invalidObjects } from "./invalid-objects.ts";
import { kindSuite } from "./kind-suite.ts";

// The rules of the schemas are asked of the real server only, until this one evaluates them.
describe("the embedded server", () => {
  kindSuite(() => openEmbeddedServer(), invalidObjects);
});
