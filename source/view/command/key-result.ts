/**
 * Outcome of a key: handled; passed on to the list of a box; or handled, with the keys that follow
 * held until the part that it opens appears.
 */
export type KeyResult = 'consumed' | 'pass' | 'hold';
