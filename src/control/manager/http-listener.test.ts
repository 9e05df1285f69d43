import { expect, test } from "vitest";
import { ManagerListenError } from "../errors.ts";
import { listen } from "./http-listener.ts";

test("a port that is taken is an error that says so", async () => {
  await using first = await listen({ host: "127.0.0.1", port: 0 }, () => ({ code: 200, text: "" }));
  const second = listen({ host: "127.0.0.1", port: first.port }, () => ({ code: 200, text: "" }));
  await expect(second).rejects.toThrow(ManagerListenError);
  await expect(second).rejects.toThrow(
    `cannot listen on 127.0.0.1:${first.port}: another program listens there already`,
  );
});
