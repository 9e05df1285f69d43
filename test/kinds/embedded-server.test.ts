import { describe } from "vitest";
import { openEmbeddedServer } from "./embedded-server.ts";
import { kindSuite } from "./kind-suite.ts";

describe("the embedded server", () => {
  kindSuite(() => openEmbeddedServer());
});
