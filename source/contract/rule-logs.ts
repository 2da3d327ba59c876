/** Logs that the rules of alerts may read at once: each of them is a stream. */
export const mostRuleLogs = 20;
