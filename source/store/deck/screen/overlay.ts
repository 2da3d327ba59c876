import type { GrantForm } from '../../grants/form.ts';
import type { Cursor } from '../../lists/cursor.ts';
import type { ServicePickerState } from '../../log/reader/services.ts';
import type { ConfirmBox } from '../../prompts/confirm.ts';
import type { Finding } from '../../prompts/find.ts';
import type { Paletting } from '../../prompts/palette.ts';
import type { Prompting } from '../../prompts/prompt.ts';
import type { FocusState, ListPane, Pane } from './focus.ts';
import type { Slice } from './slice.ts';

/** A box or prompt above the panes that takes the keys. */
export type Overlay =
  /** `over` is the box that help was opened from, which comes back. The pages form a ring. */
  | {
      readonly kind: 'help';
      readonly pane: Pane;
      readonly page: number;
      readonly over?: Overlay | undefined;
    }
  /**
   * The services of the opened deployment whose names contain the typed text. `caret` is the place
   * of the next character, as an offset in the text, here and below.
   */
  | { readonly kind: 'services'; readonly narrow: string; readonly caret: number }
  /** The templates of a new deployment that contain the typed text. */
  | { readonly kind: 'beginnings'; readonly narrow: string; readonly caret: number }
  /** `before` and `cursor` are what Esc restores; the text itself is the pane's filter. */
  | {
      readonly kind: 'filter';
      readonly pane: ListPane;
      readonly before: string;
      readonly cursor: Cursor;
      readonly caret: number;
    }
  | ServicePickerState
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
    }
  /** `shownAt` is when the box was drawn: Enter does not answer a box before it could be read. */
  | {
      readonly kind: 'restart';
      readonly deployment: string;
      readonly button: number;
      readonly shownAt: number;
    };

export interface OverlayState {
  readonly overlay: Overlay | undefined;
}

/** The box above the panes. */
export interface OverlayActions {
  /** Shows a box, or a box with other content, in place of the one before. */
  open(box: Overlay): void;
  close(): void;
  /** Closes the box and moves the focus. */
  closeInto(pane: Pane): void;
  /** Shows the box that is computed from the one before; the same one changes nothing. */
  update(change: (box: Overlay | undefined) => Overlay | undefined): void;
  /** Opens help on the focused pane, over the box that is open. */
  openHelp(): void;
  /** Sets when the open box was drawn, where it is a box that Enter answers. */
  setShownAt(time: number): void;
}

/** Milliseconds a box must have been on the screen before Enter answers it (screens, rule 4). */
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
        overlay: { kind: 'help', pane: focus, page: 0, over: overlay },
      }));
    },
    setShownAt(shownAt) {
      update((box) => (box !== undefined && 'shownAt' in box ? { ...box, shownAt } : box));
    },
  };
}

/** Whether a person decides about restarts, so that no countdown runs meanwhile (screens, rule 5). */
export function holdsRestarts(overlay: Overlay | undefined): boolean {
  switch (overlay?.kind) {
    case 'restart':
    case 'restarts':
      return true;
    case 'question':
      return overlay.question.holdsRestarts === true;
    case 'help':
      return holdsRestarts(overlay.over);
    case 'services':
    case 'log-services':
    case 'beginnings':
    case 'filter':
    case 'palette':
    case 'prompt':
    case 'find':
    case 'grant':
    case undefined:
      return false;
  }
}
