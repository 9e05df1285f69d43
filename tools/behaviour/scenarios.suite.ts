import { describe } from "vitest";
import { websiteSuite } from "../../test/examples/website-suite.ts";

// Scenarios change objects and time; that they hold on a real server says that nothing else was needed.
describe("the example on the real server", () => websiteSuite("real"));
