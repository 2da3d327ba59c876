import { type Cursor, startOfList } from '../../lists/cursor.ts';
import type { FocusState } from './focus.ts';
import {
  closeView,
  holdsView,
  leaveFile,
  type MainView,
  type MainViewState,
  openDiff,
  openHistory,
  openView,
  startOfView,
  type ViewScroll,
} from './main-view.ts';
import { type MessageState, staysUntilEscape } from './message.ts';
import type { Slice } from './slice.ts';

/** The view in pane 4. */
export interface ViewActions {
  /** Opens a view and moves the focus to it. */
  open(view: MainView): void;
  /** Opens a view from the palette; `^T` returns to an editor that it covers. */
  openOverEditor(view: MainView): void;
  /** Opens the editor and clears the message. */
  openEditor(): void;
  /** Opens the difference over the current view and clears the message. */
  openDiff(): void;
  /** Opens the history at its end and clears the errors that it lists. */
  openHistory(): void;
  /** Opens the log in place of the editor. */
  openLogAfterEditor(): void;
  /** Opens the log; a second call returns to the previous pane or editor. */
  toggleLog(canReturnToEditor: boolean): void;
  /** Closes the view that pane 4 shows. */
  close(): void;
  /** Closes the editor, where pane 4 shows it. */
  closeEditor(): void;
  /** Closes the viewer of a file that is no longer listed. */
  leaveFile(): void;
  /** Shows the record in Details as JSON, and back. */
  toggleRaw(): void;
  /** Shows another log line in Details. */
  showLine(view: Extract<MainView, { kind: 'line' }>): void;
  scrollTo(position: Partial<ViewScroll>): void;
  /** Moves the cursor of Details and its first visible row. */
  moveInDetails(detailCursor: Cursor, top: number): void;
}

type State = MainViewState & FocusState & MessageState;

export function viewActions({ set }: Slice<State>): ViewActions {
  return {
    open(view) {
      set((state) => openView(state, view));
    },
    openOverEditor(view) {
      set((state) => ({
        ...openView(state, view),
        tailOverEditor: state.tailOverEditor || holdsView(state.main, 'editor'),
      }));
    },
    openEditor() {
      set((state) => ({ ...openView(state, { kind: 'editor' }), message: undefined }));
    },
    openDiff() {
      set((state) => ({ ...openDiff(state), message: undefined }));
    },
    openHistory() {
      set((state) => ({
        ...openHistory(state),
        message: staysUntilEscape(state.message) ? undefined : state.message,
      }));
    },
    openLogAfterEditor() {
      set((state) => ({ ...openView(state, { kind: 'logs' }), tailOverEditor: false }));
    },
    toggleLog(canReturnToEditor) {
      set((state) => toggleLogState(state, canReturnToEditor));
    },
    close() {
      set(closeView);
    },
    closeEditor() {
      set((state) => (state.main.kind === 'editor' ? closeView(state) : {}));
    },
    leaveFile() {
      set(leaveFile);
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

function toggleLogState(state: State, canReturnToEditor: boolean): Partial<State> {
  const isEditor = holdsView(state.main, 'editor');
  if (state.tailOverEditor && !isEditor && canReturnToEditor) {
    return { main: { kind: 'editor' }, focus: 'main', tailOverEditor: false };
  }
  if (state.focus === 'main' && state.main.kind === 'logs') {
    return { focus: state.cameFrom, fullscreen: false };
  }
  return { ...openView(state, { kind: 'logs' }), tailOverEditor: isEditor };
}
