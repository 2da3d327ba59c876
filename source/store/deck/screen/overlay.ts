import type { TrashState } from '../../drafts/trash-list.ts';
import type { GrantForm } from '../../grants/form.ts';
import type { Cursor } from '../../lists/cursor.ts';
import type { ColumnsState } from '../../log/reader/columns.ts';
import type { FilterListState } from '../../log/reader/filter-list.ts';
import type { ServicePickerState } from '../../log/reader/services.ts';
import { type BodyScroll, isSameScroll } from '../../prompts/body-scroll.ts';
import type { ConfirmBox } from '../../prompts/confirm.ts';
import type { OpenMenu } from '../../prompts/menu.ts';
import type { Finding } from '../../prompts/find.ts';
import type { Paletting } from '../../prompts/palette.ts';
import type { Prompting } from '../../prompts/prompt.ts';
import type { ListPane } from '../../lists/list-panes.ts';
import type { FocusState, Pane } from './focus.ts';
import type { Slice } from './slice.ts';

/** A box or prompt above the panes that takes the keys. */
export type Overlay =
  /** Help of a pane; `over` is the box it was opened from, which returns. */
  | {
      readonly kind: 'help';
      readonly pane: Pane;
      /** Text that the rows are searched for. */
      readonly text: string;
      readonly caret: number;
      /** Id of the selected command; undefined or unknown selects the first row that fits. */
      readonly chosen?: string | undefined;
      readonly over?: Overlay | undefined;
    }
  /** The filter prompt; Esc restores `before` and `cursor`. The text itself is the pane's filter. */
  | {
      readonly kind: 'filter';
      readonly pane: ListPane;
      readonly before: string;
      readonly cursor: Cursor;
      readonly caret: number;
    }
  | OpenMenu
  | TrashState
  | ServicePickerState
  | FilterListState
  | ColumnsState
  | Prompting
  | Paletting
  | Finding
  | ConfirmBox
  | GrantForm
  /** All pending restarts, with the deployment that the buttons act on. */
  | {
      readonly kind: 'restarts';
      readonly deployment: string;
      readonly button: number;
      readonly shownAt: number;
      readonly scroll?: BodyScroll | undefined;
    }
  /** The box that confirms a restart. `shownAt` is the time it was drawn, in ms. */
  | {
      readonly kind: 'restart';
      readonly deployment: string;
      readonly button: number;
      readonly shownAt: number;
      readonly scroll?: BodyScroll | undefined;
    };

export interface OverlayState {
  readonly overlay: Overlay | undefined;
}

/** The box above the panes. */
export interface OverlayActions {
  /** Shows a box in place of the current one. */
  open(box: Overlay): void;
  close(): void;
  /** Closes the box and moves the focus. */
  closeInto(pane: Pane): void;
  /** Replaces the box by a function of it; returning the same box changes nothing. */
  update(change: (box: Overlay | undefined) => Overlay | undefined): void;
  /** Opens help on the focused pane, over the box that is open. */
  openHelp(): void;
  /** Sets the time at which the open box was drawn, for boxes that Enter answers. */
  setShownAt(time: number): void;
  /** Records the item under the cursor of the open menu. */
  choosePicked(picked: string | undefined): void;
  /** Scrolls the text of the open box; undefined where all of it is visible. */
  setScroll(scroll: BodyScroll | undefined): void;
}

/** Milliseconds a box must have been visible before Enter answers it. */
export const boxAnswersAfter = 300;

export function overlayActions({ get, set }: Slice<OverlayState & FocusState>): OverlayActions {
  function update(change: (box: Overlay | undefined) => Overlay | undefined): void {
    const before = get().overlay;
    const overlay = change(before);
    if (overlay !== before) set({ overlay });
  }

  return {
    open(overlay) {
      set({ overlay });
    },
    close() {
      set({ overlay: undefined });
    },
    closeInto(focus) {
      set({ overlay: undefined, focus });
    },
    update,
    openHelp() {
      set(({ focus, overlay }) => ({
        overlay: { kind: 'help', pane: focus, text: '', caret: 0, over: overlay },
      }));
    },
    setShownAt(shownAt) {
      update((box) => (box !== undefined && 'shownAt' in box ? { ...box, shownAt } : box));
    },
    choosePicked(picked) {
      update((box) => (box?.kind === 'menu' && box.picked !== picked ? { ...box, picked } : box));
    },
    setScroll(scroll) {
      update((box) =>
        canScroll(box) && !isSameScroll(box.scroll, scroll) ? { ...box, scroll } : box,
      );
    },
  };
}

/** Returns whether the box has a text above its buttons, which may be longer than the screen. */
function canScroll(
  box: Overlay | undefined,
): box is Extract<Overlay, { kind: 'question' | 'restart' | 'restarts' | 'grant' }> {
  return box !== undefined && 'shownAt' in box && box.kind !== 'prompt' && box.kind !== 'trash';
}

/** Returns whether the box is about restarts, so that countdowns pause while it is open. */
export function pausesRestarts(overlay: Overlay | undefined): boolean {
  switch (overlay?.kind) {
    case 'restart':
    case 'restarts':
      return true;
    case 'question':
      return overlay.question.pausesRestarts === true;
    case 'help':
      return pausesRestarts(overlay.over);
    case 'menu':
    case 'log-services':
    case 'log-filters':
    case 'log-columns':
    case 'trash':
    case 'filter':
    case 'palette':
    case 'prompt':
    case 'find':
    case 'grant':
    case undefined:
      return false;
  }
}
