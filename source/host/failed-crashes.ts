/** Consecutive crashes after which an instance counts as failed; restarts continue. */
export const failedCrashes = 3;
