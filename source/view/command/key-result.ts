/**
 * What is to happen with a key: nothing more, or the list of a box gets it, or such a list is about
 * to appear and what follows waits for it.
 */
export type KeyResult = 'consumed' | 'pass' | 'hold';
