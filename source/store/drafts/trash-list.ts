import type { TrashBatch, TrashEntry } from './trash.ts';

/** A file of a restart, and the entry of the trash that undoes its changes. */
export interface RestartedFile {
  readonly entry: TrashEntry;
  /** Digest of the content that was written last; anything else is a later change. */
  readonly expected: string | undefined;
}

/** A restart whose changes can be undone together. */
export interface RestartUndo {
  readonly id: string;
  /** Time of the restart, ms since the epoch. */
  readonly at: number;
  readonly deploymentId: string;
  readonly name: string;
  readonly verdict: string;
  /** Files with an earlier version, in the order in which they are undone. */
  readonly files: readonly [RestartedFile, ...RestartedFile[]];
  /** Changed files without one. */
  readonly others: readonly { readonly service: string; readonly path: string }[];
}

/** The box of the changes that can be undone. `caret` is an offset in the typed text. */
export interface TrashState {
  readonly kind: 'trash';
  readonly batches: readonly TrashBatch[];
  readonly restarts: readonly RestartUndo[];
  /** True when all changes are listed, not the newest ones only. */
  readonly isWhole: boolean;
  readonly narrow: string;
  readonly caret: number;
  /** Id of the selected row; undefined or unknown selects the first one. */
  readonly chosen: string | undefined;
  /** Time at which the box was drawn, in ms. */
  readonly shownAt: number;
}

/** Returns the box with these changes; the newest restart that is worse is selected, else the newest. */
export function openedTrash(
  batches: readonly TrashBatch[],
  isWhole: boolean,
  restarts: readonly RestartUndo[] = [],
): TrashState {
  const shownAt = Number.POSITIVE_INFINITY;
  const chosen = restarts.find(({ verdict }) => verdict === 'worse')?.id;
  return { kind: 'trash', batches, restarts, isWhole, narrow: '', caret: 0, chosen, shownAt };
}

/** Returns the index of the selected row among those that are shown, by their ids. */
export function chosenChange(
  { chosen }: Pick<TrashState, 'chosen'>,
  shown: readonly { readonly id: string }[],
): number {
  return Math.max(
    0,
    shown.findIndex(({ id }) => id === chosen),
  );
}

/** Returns the box with the selection moved by `steps` rows, not beyond the first and the last. */
export function moveInTrash(
  open: TrashState,
  shown: readonly { readonly id: string }[],
  steps: number,
): TrashState {
  const index = Math.max(0, Math.min(chosenChange(open, shown) + steps, shown.length - 1));
  return { ...open, chosen: shown[index]?.id };
}
