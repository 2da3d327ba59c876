import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { type Cursor, startOfList } from '../../lists/cursor.ts';
import { keyName } from '../../prompts/key-names.ts';
import type { Trace } from '../../log/code/trace-lines.ts';
import type { ListPane } from '../../lists/list-panes.ts';
import type { FocusState, Pane } from './focus.ts';

/** The content of pane 4. */
export type MainView =
  | { readonly kind: 'logs' }
  /** The patterns of the opened log, or those that differ before and after a moment. */
  | { readonly kind: 'patterns'; readonly isCompared?: boolean }
  | { readonly kind: 'file' }
  /** The open document. */
  | { readonly kind: 'editor' }
  /** The difference between a draft and the service; `over` is the view it was opened from. */
  | { readonly kind: 'diff'; readonly over: CoveredView | undefined }
  /** Details; `raw` shows them as JSON. */
  | { readonly kind: 'deployment' | 'grant'; readonly id: string; readonly raw?: boolean }
  /** A line of a log, or a gap in it; it is shown even after the log has dropped it. */
  | {
      readonly kind: 'line';
      readonly entry: Entry<LogLine>;
      readonly deploymentId: string;
      /** The stack trace that the line belongs to. */
      readonly trace?: Trace | undefined;
    }
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
  /** True when the log covers the editor, which returns when the log closes. */
  readonly tailOverEditor: boolean;
  readonly main: MainView;
  /** Scroll position of a view other than the log. */
  readonly scroll: ViewScroll;
  /** Cursor of Details. */
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
  const isOverView = focus === 'main' && state.main.kind !== 'logs';
  return {
    main,
    focus: 'main',
    cameFrom: focus === 'main' ? state.cameFrom : focus,
    viewedFrom: isOverView ? state.viewedFrom : focus,
    scroll: startOfView,
    detailCursor: startOfList,
  };
}

/** Returns the state with a difference in pane 4, over the current view. */
export function openDiff(state: Views): Partial<Views> {
  return openView(state, { kind: 'diff', over: coveredBy(state) });
}

/** Returns the state with the end of the history in pane 4, over the current view. */
export function openHistory(state: Views): Partial<Views> {
  const { focus, main, scroll } = state;
  const end = { top: Number.POSITIVE_INFINITY, left: 0 };
  if (main.kind === 'history') {
    return focus === 'main' ? { scroll: end } : { focus: 'main', cameFrom: focus, scroll: end };
  }
  const over = focus === 'main' && main.kind !== 'logs' ? { main, scroll } : coveredBy(state);
  return { ...openView(state, { kind: 'history', over }), scroll: end };
}

/** Returns the view that a new view covers. Covered views return, because only its own keys close the editor. */
function coveredBy({ main, focus, scroll }: Views): CoveredView | undefined {
  if ('over' in main) return bottomView(main.over);
  return focus === 'main' && main.kind !== 'logs' ? { main, scroll } : undefined;
}

function bottomView(over: CoveredView | undefined): CoveredView | undefined {
  return over !== undefined && 'over' in over.main ? bottomView(over.main.over) : over;
}

/** Returns whether pane 4 shows this kind of view, or covers it with another one. */
export function holdsView(main: MainView, kind: 'file' | 'editor' | 'diff'): boolean {
  if (main.kind === kind) return true;
  return 'over' in main && main.over !== undefined && holdsView(main.over.main, kind);
}

/** Returns the name of the key that opens the restart box; `r` types in the editor. */
export function restartKeyName({ focus, main }: Pick<Views, 'focus' | 'main'>): string {
  const isEditor = focus === 'main' && main.kind === 'editor';
  return keyName('restarts.restart', isEditor ? '^R' : 'r');
}
