import { describe } from "vitest";
import type { Way } from "#testkit";
import { websiteSuite } from "./website-suite.ts";

describe.each<Way>(["in-process", "tls"])("the example, %s", (way) => websiteSuite(way));
