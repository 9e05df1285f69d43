import { createMaintenanceExtension } from "./extension.ts";

// Serves the extension on port 9443 until Ctrl-C, and prints the ExtensionConfig that makes it known.
const extension = createMaintenanceExtension({ isOpen: () => Promise.resolve(new Date().getHours() < 6) });
await using server = await extension.listen({ port: 9443 });

console.log(`apiVersion: runtime.cluster.x-k8s.io/v1beta2
kind: ExtensionConfig
metadata:
  name: maintenance
spec:
  clientConfig:
    url: ${server.url}
    caBundle: ${server.caBundle}`);

await new Promise((resolve) => process.once("SIGINT", resolve));
