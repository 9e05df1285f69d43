import { type AddressInfo, createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ConnectionError } from "../errors.ts";
import { createHttp1Wire } from "./http1-wire.ts";

test("a server that goes over to another protocol has not answered", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const wire = createHttp1Wire({ server: new URL(`http://127.0.0.1:${port}`) });
  await expect(wire.send({ method: "GET", path: "/", headers: {} })).rejects.toThrow(ConnectionError);
  wire.close();
  server.close();
});
