/** Milliseconds after the proof of a restart in which a crash is still one of this restart. */
export const crashSpan = 600_000;
