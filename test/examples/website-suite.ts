import { expect, test, type TestContext } from "vitest";
import { scenario, type Way } from "#testkit";
import { Website, website } from "../../examples/website.ts";

const ConfigMap = { group: "", version: "v1", kind: "ConfigMap" };

/** What the example does, however its server is reached. */
export function websiteSuite(way: Way): void {
  test("publishes a page, puts it back, and says why it does not", async (t) => {
    await using world = await worldOf(t, way);
    await world.apply(aWebsite("home", "Welcome"));
    await world.settle();
    expect(await world.get(ConfigMap, "home")).toMatchObject({ data: { "index.html": "<h1>Welcome</h1>" } });
    expect(world.condition(Website, "home", "Published")).toMatchObject({ status: "True", row: "published" });

    await world.delete(ConfigMap, "home");
    await world.settle();
    expect(await world.get(ConfigMap, "home")).toMatchObject({ data: { "index.html": "<h1>Welcome</h1>" } });

    await world.apply(aWebsite("home", "<script>"));
    await world.settle();
    expect(world.condition(Website, "home", "Published")).toEqual({
      status: "False",
      reason: "BadTitle",
      message: "The title contains <",
      row: "bad-title",
    });
  });
}

async function worldOf(t: TestContext, way: Way) {
  return await scenario(t, { kinds: [Website], way, controllers: (manager) => manager.add(website, {}) });
}

function aWebsite(name: string, title: string): Website {
  return { apiVersion: "example.com/v1", kind: "Website", metadata: { name }, spec: { title } };
}
