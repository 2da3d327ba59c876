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
  /** The difference between a draft and the service. */
  | { readonly kind: 'diff' }
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
  /** The writes and messages since the start. */
  | { readonly kind: 'history' };

export interface ViewScroll {
  readonly top: number;
  readonly left: number;
}

/** A pane with the focus, and what pane 4 shows meanwhile. */
export interface ScreenPlace {
  readonly focus: Pane;
  readonly main: MainView;
  readonly scroll: ViewScroll;
  readonly detailCursor: Cursor;
}

export interface MainViewState {
  /**
   * The places that Esc and `q` return to from pane 4, the nearest one last. A list has no way back, so
   * only the first place may be a list.
   */
  readonly wayBack: readonly ScreenPlace[];
  readonly main: MainView;
  /** Scroll position of a view other than the log. */
  readonly scroll: ViewScroll;
  /** Cursor of Details. */
  readonly detailCursor: Cursor;
}

/** The state that opening and closing a view changes. */
type Views = MainViewState & FocusState;

export const startOfView: ViewScroll = { top: 0, left: 0 };

/** Returns the state one place back; undefined in a list, and where pane 4 has no way back. */
export function goBack({ focus, wayBack }: Views): Partial<Views> | undefined {
  const place = wayBack.at(-1);
  return focus === 'main' && place !== undefined
    ? { ...place, wayBack: wayBack.slice(0, -1) }
    : undefined;
}

/**
 * Returns the state without a kind of view, in pane 4 or on the way back. A difference closes with the
 * view it was opened from.
 */
export function closeView(state: Views, kind: MainView['kind']): Partial<Views> {
  if (!holdsView(state, kind)) return {};
  const { focus, main, wayBack } = state;
  const kindAt = (index: number) => (index === wayBack.length ? main : wayBack[index]?.main)?.kind;
  const isClosed = (index: number): boolean =>
    kindAt(index) === kind || (kindAt(index) === 'diff' && kindAt(index - 1) === kind);
  const left = wayBack.flatMap((place, index): ScreenPlace | [] => {
    if (!isClosed(index)) return place;
    // A list stays, beside the log.
    return place.focus === 'main' ? [] : besideLog(place.focus);
  });
  if (!isClosed(wayBack.length)) return { wayBack: left };
  const shown = left.at(-1) ?? besideLog(focus);
  return { ...shown, focus: focus === 'main' ? shown.focus : focus, wayBack: left.slice(0, -1) };
}

/** Returns the state with a view in pane 4, which has the focus. */
export function openView(state: Views, main: MainView): Partial<Views> {
  return {
    main,
    focus: 'main',
    scroll: startOfView,
    detailCursor: startOfList,
    wayBack: wayTo(state, main),
  };
}

/** Returns the state with the end of the history in pane 4. */
export function openHistory(state: Views): Partial<Views> {
  const end = { top: Number.POSITIVE_INFINITY, left: 0 };
  return { ...openView(state, { kind: 'history' }), scroll: end };
}

/** Returns the state with the focus on pane 4, whose way back ends at the list that had the focus. */
export function focusMain({ focus, wayBack }: Views): Partial<Views> {
  if (focus === 'main') return {};
  const [first, ...others] = wayBack;
  const isList = first !== undefined && first.focus !== 'main';
  return {
    focus: 'main',
    wayBack: isList ? [{ ...first, focus }, ...others] : [besideLog(focus), ...wayBack],
  };
}

/**
 * Returns the way back from a view that is about to open. A view that is on the way already is returned
 * to, so that the way has each view once.
 */
function wayTo(state: Views, main: MainView): readonly ScreenPlace[] {
  const { focus, main: shown, scroll, detailCursor, wayBack } = state;
  if (focus !== 'main') {
    const isEditing = holdsView(state, 'editor');
    return [{ ...besideLog(focus), ...(isEditing ? { main: { kind: 'editor' } } : {}) }];
  }
  // The editor takes the place of the viewer, because both show one file.
  const isReplaced = isSameView(shown, main) || (shown.kind === 'file' && main.kind === 'editor');
  if (isReplaced) return wayBack;
  const way = [...wayBack, { focus, main: shown, scroll, detailCursor }];
  const at = way.findLastIndex((place) => place.focus === 'main' && isSameView(place.main, main));
  // Only its own keys close the editor.
  const hidesEditor = way.slice(at + 1).some((place) => place.main.kind === 'editor');
  return at === -1 || hidesEditor ? way : way.slice(0, at);
}

/** Returns a pane with the focus beside the log. */
function besideLog(focus: Pane): ScreenPlace {
  return { focus, main: { kind: 'logs' }, scroll: startOfView, detailCursor: startOfList };
}

function isSameView(left: MainView, right: MainView): boolean {
  if ('id' in left && 'id' in right) return left.kind === right.kind && left.id === right.id;
  if (left.kind === 'patterns' && right.kind === 'patterns') {
    return (left.isCompared === true) === (right.isCompared === true);
  }
  return left.kind === right.kind;
}

/** Returns whether pane 4 shows this kind of view, or the way back has it. */
export function holdsView({ main, wayBack }: MainViewState, kind: MainView['kind']): boolean {
  return main.kind === kind || wayBack.some((place) => place.main.kind === kind);
}

/** Returns the name of the key that opens the restart box; `r` types in the editor. */
export function restartKeyName({ focus, main }: Pick<Views, 'focus' | 'main'>): string {
  const isEditor = focus === 'main' && main.kind === 'editor';
  return keyName('restarts.restart', isEditor ? '^R' : 'r');
}
