export { type ChangeListener, Collection } from "./collection.ts";
export { CommitFailedError, Committer, type StagedWrite } from "./committer.ts";
