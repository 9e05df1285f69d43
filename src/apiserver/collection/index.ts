export { byKey, type ChangeListener, Collection } from "./collection.ts";
export { Collections, type Observer } from "./collections.ts";
export { Committer, type StagedWrite } from "./committer.ts";
export { objectText } from "./object-text.ts";
