export {
  type AnsweredName,
  type CataloguedGroup,
  type CataloguedResource,
  type CataloguedSubresource,
  type CataloguedVersion,
  catalogueOf,
  isBuiltinGroup,
} from "./catalogue.ts";
export { type Discovery, type DiscoveryDocument, discoveryOf } from "./discovery.ts";
