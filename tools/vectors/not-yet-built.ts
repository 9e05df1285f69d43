/** Files whose operations have no code to run through yet. A line goes when its last operation has an adapter. */
export const notYetBuilt: readonly string[] = [];
