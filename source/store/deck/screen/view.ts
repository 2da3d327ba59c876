import { type Cursor, startOfList } from '../../lists/cursor.ts';
import type { FocusState, Pane } from './focus.ts';
import {
  closeView,
  focusMain,
  goBack,
  type MainView,
  type MainViewState,
  openHistory,
  openView,
  startOfView,
  type ViewScroll,
} from './main-view.ts';
import { type MessageState, staysUntilEscape } from './message.ts';
import type { Slice } from './slice.ts';

/** The pane that takes the keys. */
export interface FocusActions {
  /** Moves the focus. A list ends full screen; pane 4 remembers the list before it. */
  to(pane: Pane): void;
  toggleFullscreen(): void;
}

/** The view in pane 4. */
export interface ViewActions {
  /** Opens a view and moves the focus to it. */
  open(view: MainView): void;
  /** Opens the editor and clears the message. */
  openEditor(): void;
  /** Opens the difference over the current view and clears the message. */
  openDiff(): void;
  /** Opens the history at its end and clears the errors that it lists. */
  openHistory(): void;
  /** Opens the log; a second call goes back. */
  toggleLog(): void;
  /** Closes a kind of view, in pane 4 or on the way back. */
  close(kind: MainView['kind']): void;
  /** Shows the record in Details as JSON, and back. */
  toggleRaw(): void;
  /** Shows another log line in Details. */
  showLine(view: Extract<MainView, { kind: 'line' }>): void;
  scrollTo(position: Partial<ViewScroll>): void;
  /** Moves the cursor of Details and its first visible row. */
  moveInDetails(detailCursor: Cursor, top: number): void;
}

type State = MainViewState & FocusState & MessageState;

export function focusActions({ set }: Slice<State>): FocusActions {
  return {
    to(pane) {
      set((state) => (pane === 'main' ? focusMain(state) : { focus: pane, fullscreen: false }));
    },
    toggleFullscreen() {
      set(({ fullscreen }) => ({ fullscreen: !fullscreen }));
    },
  };
}

export function viewActions({ set }: Slice<State>): ViewActions {
  return {
    open(view) {
      set((state) => openView(state, view));
    },
    openEditor() {
      set((state) => ({ ...openView(state, { kind: 'editor' }), message: undefined }));
    },
    openDiff() {
      set((state) => ({ ...openView(state, { kind: 'diff' }), message: undefined }));
    },
    openHistory() {
      set((state) => ({
        ...openHistory(state),
        message: staysUntilEscape(state.message) ? undefined : state.message,
      }));
    },
    toggleLog() {
      set(toggleLogState);
    },
    close(kind) {
      set((state) => closeView(state, kind));
    },
    toggleRaw() {
      set(({ main }) => {
        if (main.kind !== 'deployment' && main.kind !== 'grant') return {};
        const raw = main.raw !== true;
        return { main: { ...main, raw }, scroll: startOfView, detailCursor: startOfList };
      });
    },
    showLine(main) {
      set(({ scroll }) => ({ main, scroll: { ...scroll, top: 0 } }));
    },
    scrollTo(position) {
      set(({ scroll }) => ({ scroll: { ...scroll, ...position } }));
    },
    moveInDetails(detailCursor, top) {
      set(({ scroll }) => ({ detailCursor, scroll: { ...scroll, top } }));
    },
  };
}

function toggleLogState(state: State): Partial<State> {
  if (state.focus !== 'main' || state.main.kind !== 'logs')
    return openView(state, { kind: 'logs' });
  return { focus: 'deployments', ...goBack(state), fullscreen: false };
}
