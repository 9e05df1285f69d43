import { expect, test } from "vitest";
import { pluralOf } from "./plural.ts";

test.each([
  ["Machine", "Machines"],
  ["MachineSet", "MachineSets"],
  ["MachineDeployment", "MachineDeployments"],
  ["MachinePool", "MachinePools"],
  ["Phase3Obj", "Phase3Objs"],
  ["FooProxy", "FooProxies"],
  ["FooClass", "FooClasses"],
  ["Gateway", "Gateways"],
  ["Key", "Keys"],
  ["Status", "Statuses"],
  ["Batch", "Batches"],
  ["Mesh", "Meshes"],
  ["Box", "Boxes"],
  ["Studio", "Studios"],
  ["Photo", "Photos"],
  ["Hero", "Heroes"],
  ["DNS", "DNSes"],
  ["Series", "Series"],
  ["FooProxies", "FooProxies"],
  ["Classes", "Classes"],
  ["Machines", "Machines"],
  ["", ""],
])("the plural of %j is %j", (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});

test.each([
  ["awscluster", "awsclusters"],
  ["vsphereclusteridentity", "vsphereclusteridentities"],
  ["kubeadmconfigtemplate", "kubeadmconfigtemplates"],
  ["ipaddress", "ipaddresses"],
  ["clusterclass", "clusterclasses"],
  ["metal3data", "metal3data"],
  ["proxy", "proxies"],
  ["kubernetes", "kubernetes"],
  ["bus2", "bus2s"],
])("a kind in lower case stays in lower case: %j gives %j", (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});

test.each([
  ["index", "indices"],
  ["indexes", "indexes"],
  ["media", "media"],
  ["medium", "media"],
  ["basis", "bases"],
  ["ellipses", "ellipses"],
  ["database", "databases"],
  ["datum", "data"],
  ["ox", "oxen"],
  ["box", "boxes"],
  ["human", "humans"],
  ["superwoman", "superwomen"],
  ["alias", "aliases"],
  ["radius", "radii"],
  ["octopus", "octupuses"],
  ["MachineIndex", "MachineIndices"],
  ["AWSIndex", "AWSIndexes"],
  ["ID", "IDs"],
  ["MachineID", "MachineIDs"],
])("words with a plural of their own have it: %j gives %j", (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});
