import type { StoreApi } from 'zustand/vanilla';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { ChangeListener, Entries, GapEntry } from '../../../tail/arena/entries.ts';
import type { ShownAt } from '../../../tail/arena/trim.ts';
import type { LogConnectionState } from './connection.ts';
import type { LogLabel } from '../../../tail/log/log.ts';
import type { PageWalk, WalkSide, WalkStart } from './page-walk.ts';
import type { HintSearch, PastResult, PastSearch } from './past-lines.ts';

/** Memory limits of a log, and the lines to load when it opens. */
export interface LogMemory {
  readonly maxLines?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly initialLines?: number | undefined;
}

export const defaultLogMemory = {
  maxLines: 2_000_000,
  maxBytes: 256 * 1024 * 1024,
} as const satisfies LogMemory;

/** State of the lines before the oldest one. */
export interface OlderState {
  /** `full` when memory has no room for them. */
  readonly older: 'more' | 'loading' | 'none' | 'full';
  /** The error of the last request for them; undefined when it brought lines. */
  readonly olderError: ServiceError | undefined;
  /** The offset of that request. */
  readonly olderErrorOffset?: number | undefined;
}

/** State of a log beside its lines. Published at most once a frame. */
export interface LogsState extends OlderState {
  /** Grows whenever an entry is added, removed or changed. */
  readonly version: number;
  readonly connection: LogConnectionState;
  /** True when the first history is loaded, or given up with a gap. */
  readonly ready: boolean;
  /** Lines that the stream has delivered. */
  readonly received: number;
  /** Messages of the stream that can't be read; lines in them may be missing. */
  readonly unreadable: number;
  /** Messages of the stream that are no lines, beside those that keep the connection open. */
  readonly others: number;
  /** Lines that the stream delivered in the last second. */
  readonly rate: number;
  /** The labels of the whole log, each said once. */
  readonly labels: readonly LogLabel[];
}

/** Said once about a log, when {@link LogsState.unreadable} rises above 0. */
export const unreadableSentence =
  "The log stream sends messages that can't be read. Lines in them may be missing.";

/** Said once about a log when a label of it is found. */
export const labelSentences: Readonly<Record<LogLabel, string>> = {
  unnumbered: 'The service numbers no lines: they are shown in the order in which they came.',
  'by-time': 'The service lists lines by time: late lines may be missing.',
  late: 'Lines come late: the service adds them before lines that it has shown.',
};

/** A followed log: of one deployment, or of several joined. */
export interface LogSource {
  readonly entries: Entries<LogLine>;
  readonly state: StoreApi<LogsState>;
  /** Returns the number of lines received so far, of which the state tells a frame or a few later. */
  received(): number;
  /** Returns the names of the services that have written a line so far. */
  services(): readonly string[];
  /** Sets what a paused reader shows: memory keeps it. */
  show(shown: ShownAt): void;
  /** Calls back at once with all inserted lines. */
  onInserted(listener: ChangeListener): () => void;
  /**
   * Requests a page of lines before the oldest one. Returns false when that is not possible now.
   */
  olderWanted(lines: number): boolean;
  /**
   * Reads the lines around a time that are not loaded; see {@link PastLines.readTime}. The results of
   * several logs are those of the logs that had to read.
   */
  readTime(search: PastSearch): Promise<readonly PastResult[]>;
  /** Reads a page beside an unread gap; see {@link PastLines.readBeside}. */
  readBeside(gap: GapEntry<LogLine>, side: WalkSide): Promise<boolean>;
  /** Returns a walk through lines that are not loaded; undefined when there are none. */
  walk(start: WalkStart): PageWalk | undefined;
  /** See {@link PastLines.hintedTime}. */
  hintedTime(search: HintSearch): Promise<number | undefined>;
  /** Retries all gaps that were given up, and the lines before the oldest one if these failed. */
  retryGaps(): void;
  /** Reconnects at once instead of waiting. */
  reconnect(): void;
  stop(): void;
}
