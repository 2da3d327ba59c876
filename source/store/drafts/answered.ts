import type { DraftHead } from './drafts.ts';
import { placeKey } from './places.ts';

/** The drafts that a start has offered and the person has answered. */
export interface AnsweredDrafts {
  /** Returns the ids of the drafts, by {@link draftId}. */
  read(): ReadonlySet<string>;
  /** Replaces the ids. */
  write(ids: readonly string[]): void;
}

/** Returns an id of a draft that changes when its text does. */
export function draftId(head: DraftHead): string {
  return `${head.at} ${placeKey(head)}`;
}
