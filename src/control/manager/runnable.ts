/** Something that runs beside the controllers until its signal ends it. */
export interface Runnable {
  readonly name: string;
  /** True where only the leader may do it. */
  readonly leaderOnly?: boolean;
  /** A failure stops the manager. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Something that has to be done before any controller begins, by every manager whether it leads or not unless told. */
export interface WarmUp {
  readonly name: string;
  /** True where only the leader may do it: then it is done between winning the lead and the first pass. */
  readonly leaderOnly?: boolean;
  /** A failure stops the manager. */
  warmUp(options: { readonly signal: AbortSignal }): Promise<void>;
}
