import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../contract/logs.ts';
import type { Entry } from '../../tail/arena/entries.ts';
import { type Cursor, startOfList } from '../lists/cursor.ts';
import type { Finding } from '../prompts/find.ts';
import type { GrantForm } from '../grants/form.ts';
import { firstOrders, type ListOrders } from '../lists/order.ts';
import { type LineQueries, noQueries } from '../log/line-queries.ts';
import type { LinesProgress } from '../log/reader/export.ts';
import type { ServiceChoosing } from '../log/reader/services.ts';
import type { LogTimes } from '../log/times.ts';
import type { Paletting } from '../prompts/palette.ts';
import type { Prompting } from '../prompts/prompt.ts';
import type { ConfirmBox } from '../prompts/confirm.ts';
import type { Tone } from '../prompts/tone.ts';
import type { RestartKey } from '../restarts/sentences.ts';
import { noMarks } from '../lists/marks.ts';
import type { TransferProgress } from '../transfers/progress.ts';

/** The panes by the digit that goes there; `main` is pane 4. */
export const panes = ['deployments', 'files', 'grants', 'main'] as const;
export type Pane = (typeof panes)[number];
export type ListPane = Exclude<Pane, 'main'>;

/** What pane 4 shows. */
export type MainView =
  | { readonly kind: 'logs' }
  | { readonly kind: 'file' }
  /** The file that is edited. */
  | { readonly kind: 'editor' }
  /** What differs between a draft and the service; `over` is the view it was opened from. */
  | { readonly kind: 'diff'; readonly over: Covered | undefined }
  /** `raw`: as JSON. */
  | { readonly kind: 'deployment' | 'grant'; readonly id: string; readonly raw?: boolean }
  /** A line of a log, or a gap in it; it stays here also when the log has dropped it. */
  | { readonly kind: 'line'; readonly entry: Entry<LogLine>; readonly deploymentId: string }
  /** An answer that could not be read, as it came. */
  | { readonly kind: 'answer'; readonly pane: ListPane }
  /** What was done and said; `over` is the view it was opened from. */
  | { readonly kind: 'history'; readonly over: Covered | undefined };

/** A view of pane 4 that comes back where it was left. */
export interface Covered {
  readonly main: MainView;
  readonly scroll: ViewScroll;
}

/** What lies above the panes and takes the keys. */
export type Overlay =
  /** `over` is what it was opened from, which comes back; after the last page comes the first. */
  | {
      readonly kind: 'help';
      readonly pane: Pane;
      readonly page: number;
      readonly over?: Overlay | undefined;
    }
  /**
   * The services of the opened deployment whose name holds what was typed. `caret` is where the next
   * character goes, as an offset in the text, here and below.
   */
  | { readonly kind: 'services'; readonly narrow: string; readonly caret: number }
  /** What a new deployment may begin with, as far as it holds what was typed. */
  | { readonly kind: 'beginnings'; readonly narrow: string; readonly caret: number }
  /** `before` and `cursor` are what Esc restores; the text itself is the pane's filter. */
  | {
      readonly kind: 'filter';
      readonly pane: ListPane;
      readonly before: string;
      readonly cursor: Cursor;
      readonly caret: number;
    }
  | ServiceChoosing
  | Prompting
  | Paletting
  | Finding
  | ConfirmBox
  | GrantForm
  /** All that is pending, with the one that the buttons act on. */
  | {
      readonly kind: 'restarts';
      readonly deployment: string;
      readonly button: number;
      readonly shownAt: number;
    }
  /** `shownAt` is when it was put up: a box answers no Enter before it could be read. */
  | {
      readonly kind: 'restart';
      readonly deployment: string;
      readonly button: number;
      readonly shownAt: number;
    };

export interface Message {
  readonly text: string;
  readonly tone: Tone;
  readonly at: number;
  /** Errors whose place it took before they could be read. */
  readonly unread?: number;
}

export interface Transfer {
  readonly verb: 'Filtering' | 'Uploading' | 'Saving';
  readonly progress: TransferProgress | LinesProgress;
  cancel(): void;
}

export interface ViewScroll {
  readonly top: number;
  readonly left: number;
}

export interface Screen {
  readonly focus: Pane;
  /** The pane that was last left for pane 4. */
  readonly cameFrom: Pane;
  /** Where Esc and `q` return to from a view in pane 4: the log counts, another view does not. */
  readonly viewedFrom: Pane;
  /** The editor was left for the log, which gives way to it again. */
  readonly tailOverEditor: boolean;
  readonly main: MainView;
  readonly fullscreen: boolean;
  /** Columns added to the left side by `+` and taken by `-`. */
  readonly widen: number;
  readonly cursors: Readonly<Record<ListPane, Cursor>>;
  readonly filters: Readonly<Record<ListPane, string>>;
  readonly orders: ListOrders;
  /** Paths of the files and folders that are marked. */
  readonly marks: ReadonlySet<string>;
  /** Ids of the deployments that are marked. */
  readonly deploymentMarks: ReadonlySet<string>;
  readonly wrap: boolean;
  readonly times: LogTimes;
  /** Position in the view of pane 4 that is not the log. */
  readonly scroll: ViewScroll;
  /** Row of Details that keys act on. */
  readonly detailCursor: Cursor;
  /** Columns the log is moved sideways; new lines leave it alone. */
  readonly logLeft: number;
  readonly overlay: Overlay | undefined;
  readonly message: Message | undefined;
  /** When `q` was pressed at a pane: a second one quits. */
  readonly quitAskedAt: number | undefined;
  /** What was filled in and not sent, by the origin of the form. */
  readonly keptGrants: ReadonlyMap<string, GrantForm>;
  /** Path of a local definition that could not be opened, for the next time it is asked for. */
  readonly keptPath: string;
  /** The upload or download that is under way. */
  readonly transfer: Transfer | undefined;
  /** Names that were entered in the palette, newest last. */
  readonly entered: readonly string[];
  /** What lines of logs were filtered by and searched for. */
  readonly queries: LineQueries;
}

export type ScreenStore = StoreApi<Screen>;

/** Milliseconds after which a message gives way to the view's state; errors stay until Esc. */
export const messageLife = 5000;

/** Milliseconds a box must have been on the screen before Enter answers it (screens, rule 4). */
export const boxAnswersAfter = 300;

export function createScreenStore(
  start: Partial<Pick<Screen, 'focus' | 'fullscreen' | 'filters' | 'orders' | 'times'>> = {},
): ScreenStore {
  return createStore<Screen>(() => ({
    focus: start.focus ?? 'deployments',
    cameFrom: 'deployments',
    viewedFrom: 'deployments',
    tailOverEditor: false,
    main: { kind: 'logs' },
    fullscreen: start.fullscreen ?? false,
    widen: 0,
    cursors: { deployments: startOfList, files: startOfList, grants: startOfList },
    filters: start.filters ?? { deployments: '', files: '', grants: '' },
    orders: start.orders ?? firstOrders,
    marks: noMarks,
    deploymentMarks: noMarks,
    wrap: false,
    times: start.times ?? 'time',
    scroll: { top: 0, left: 0 },
    detailCursor: startOfList,
    logLeft: 0,
    overlay: undefined,
    message: undefined,
    quitAskedAt: undefined,
    keptGrants: new Map(),
    keptPath: '',
    transfer: undefined,
    entered: [],
    queries: noQueries,
  }));
}

/** The one to name where the keys go now: in the editor a letter types. */
export function restartKeyName({ focus, main }: Screen): RestartKey {
  return focus === 'main' && main.kind === 'editor' ? '^R' : 'r';
}

/** Whether a person decides about restarts, so that none counts on meanwhile (screens, rule 5). */
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

/** Whether only Esc takes it away: an error, or what tells of one. */
export function staysUntilEscape(message: Message | undefined): boolean {
  return message?.tone === 'bad' || message?.unread !== undefined;
}
