import type { TrashBatch } from './trash.ts';

/** The box of the changes that can be undone. `caret` is an offset in the typed text. */
export interface TrashState {
  readonly kind: 'trash';
  readonly batches: readonly TrashBatch[];
  /** True when all changes are listed, not the newest ones only. */
  readonly isWhole: boolean;
  readonly narrow: string;
  readonly caret: number;
  /** Id of the newest entry of the selected batch; undefined or unknown selects the first one. */
  readonly chosen: string | undefined;
  /** Time at which the box was drawn, in ms. */
  readonly shownAt: number;
}

/** Returns the box with these changes, the newest one selected. */
export function openedTrash(batches: readonly TrashBatch[], isWhole: boolean): TrashState {
  const shownAt = Number.POSITIVE_INFINITY;
  return { kind: 'trash', batches, isWhole, narrow: '', caret: 0, chosen: undefined, shownAt };
}

/** Returns the index of the selected batch among those that are shown. */
export function chosenBatch(
  { chosen }: Pick<TrashState, 'chosen'>,
  shown: readonly TrashBatch[],
): number {
  return Math.max(
    0,
    shown.findIndex(([newest]) => newest.id === chosen),
  );
}

/** Returns the box with the selection moved by `steps` rows, not beyond the first and the last. */
export function moveInTrash(
  open: TrashState,
  shown: readonly TrashBatch[],
  steps: number,
): TrashState {
  const index = Math.max(0, Math.min(chosenBatch(open, shown) + steps, shown.length - 1));
  return { ...open, chosen: shown[index]?.[0].id };
}
