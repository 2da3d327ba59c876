import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { type Cursor, startOfList } from '../../lists/cursor.ts';
import type { RestartKey } from '../../restarts/sentences.ts';
import type { FocusState, ListPane, Pane } from './focus.ts';

/** The content of pane 4. */
export type MainView =
  | { readonly kind: 'logs' }
  | { readonly kind: 'file' }
  /** The file that is edited. */
  | { readonly kind: 'editor' }
  /** The difference between a draft and the service; `over` is the view it was opened from. */
  | { readonly kind: 'diff'; readonly over: CoveredView | undefined }
  /** `raw`: as JSON. */
  | { readonly kind: 'deployment' | 'grant'; readonly id: string; readonly raw?: boolean }
  /** A line of a log, or a gap in it; it stays here also when the log has dropped it. */
  | { readonly kind: 'line'; readonly entry: Entry<LogLine>; readonly deploymentId: string }
  /** An answer that could not be read, in its original form. */
  | { readonly kind: 'answer'; readonly pane: ListPane }
  /** The writes and messages since the start; `over` is the view it was opened from. */
  | { readonly kind: 'history'; readonly over: CoveredView | undefined };

/** A view of pane 4 that another covers, with its position. */
export interface CoveredView {
  readonly main: MainView;
  readonly scroll: ViewScroll;
}

export interface ViewScroll {
  readonly top: number;
  readonly left: number;
}

export interface MainViewState {
  /** The pane that Esc and `q` return to from a view in pane 4; the log counts as one. */
  readonly viewedFrom: Pane;
  /** The editor was left for the log, which gives way to it again. */
  readonly tailOverEditor: boolean;
  readonly main: MainView;
  /** Position in the view of pane 4 that is not the log. */
  readonly scroll: ViewScroll;
  /** Row of Details that keys act on. */
  readonly detailCursor: Cursor;
}

/** The state that opening and closing a view changes. */
type Views = MainViewState & FocusState;

export const startOfView: ViewScroll = { top: 0, left: 0 };

/**
 * Returns the state with the log in place of the view, and the focus on the pane that the view was
 * opened from. A difference and the history give way to the view that they cover.
 */
export function closeView({ main, viewedFrom }: MainViewState): Partial<Views> {
  if ('over' in main && main.over !== undefined) return { ...main.over, focus: 'main' };
  return { main: { kind: 'logs' }, focus: viewedFrom, scroll: startOfView };
}

/** Returns the state without the viewer of a file that is no longer listed, also below a difference. */
export function leaveFile(state: MainViewState): Partial<Views> {
  return holdsView(state.main, 'file') ? closeView({ ...state, main: { kind: 'file' } }) : {};
}

/** Returns the state with a view in pane 4, which remembers the pane to return to. */
export function openView(state: Views, main: MainView): Partial<Views> {
  const { focus } = state;
  const overView = focus === 'main' && state.main.kind !== 'logs';
  return {
    main,
    focus: 'main',
    cameFrom: focus === 'main' ? state.cameFrom : focus,
    viewedFrom: overView ? state.viewedFrom : focus,
    scroll: startOfView,
    detailCursor: startOfList,
  };
}

/** Returns the state with a difference in pane 4, over the view that it gives way to. */
export function openDiff(state: Views): Partial<Views> {
  return openView(state, { kind: 'diff', over: coveredBy(state) });
}

/** Returns the state with the end of the history in pane 4, over the view that it gives way to. */
export function openHistory(state: Views): Partial<Views> {
  const { focus, main, scroll } = state;
  const end = { top: Number.POSITIVE_INFINITY, left: 0 };
  if (main.kind === 'history') {
    return focus === 'main' ? { scroll: end } : { focus: 'main', cameFrom: focus, scroll: end };
  }
  const over = focus === 'main' && main.kind !== 'logs' ? { main, scroll } : coveredBy(state);
  return { ...openView(state, { kind: 'history', over }), scroll: end };
}

/** The editor is left by its own keys only: it comes back also where a pane covered it. */
function coveredBy({ main, focus, scroll }: Views): CoveredView | undefined {
  if ('over' in main) return below(main.over);
  return focus === 'main' && main.kind !== 'logs' ? { main, scroll } : undefined;
}

function below(over: CoveredView | undefined): CoveredView | undefined {
  return over !== undefined && 'over' in over.main ? below(over.main.over) : over;
}

/** Whether pane 4 shows this kind of view, or returns to it from the views that cover it. */
export function holdsView(main: MainView, kind: 'file' | 'editor' | 'diff'): boolean {
  if (main.kind === kind) return true;
  return 'over' in main && main.over !== undefined && holdsView(main.over.main, kind);
}

/** Returns the key that asks for a restart at the focus: in the editor a letter types. */
export function restartKeyName({ focus, main }: Pick<Views, 'focus' | 'main'>): RestartKey {
  return focus === 'main' && main.kind === 'editor' ? '^R' : 'r';
}
