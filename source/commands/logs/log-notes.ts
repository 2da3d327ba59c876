import type { LogLine } from '../../contract/logs.ts';
import type { LogConnectionState } from '../../store/log/feed/connection.ts';
import { gapSentence, linesBetween } from '../../tail/arena/gap.ts';
import type { GapEntry } from '../../tail/arena/entries.ts';

/** Writes a sentence to stderr, as a line. */
export type Say = (sentence: string) => void;

/** A gap in written output is final: its lines can't be inserted later. */
const missing = { kind: 'missing', why: 'unanswered' } as const;

/** Returns the sentence that tells which lines are missing from the output. */
export function gapNote({ after, until }: GapEntry<LogLine>): string {
  return `${capitalised(gapSentence({ state: missing, after, until }))}.`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Notes about history that live lines did not wait for. */
export interface HistoryNotes {
  /** The output goes on without the lines of a gap, or of the first history. */
  readonly passed: (gap: GapEntry<LogLine> | 'opening') => void;
  /** Lines of history came later and are not written. */
  readonly left: (count: number) => void;
  /** Nothing is being fetched any more: says how many lines came later. */
  readonly settled: () => void;
}

/** @param timeout milliseconds that live lines waited. */
export function createHistoryNotes(say: Say, timeout: number): HistoryNotes {
  let left = 0;
  return {
    passed(gap) {
      const seconds = `${timeout / 1000} s`;
      const lines = gap === 'opening' ? 'no history' : linesBetween(gap.after, gap.until);
      const came = gap === 'opening' ? 'came' : 'did not come';
      say(`${capitalised(lines)} ${came} within ${seconds}. Going on with live lines.`);
    },
    left(count) {
      left += count;
    },
    settled() {
      if (left === 0) return;
      const lines = left === 1 ? '1 earlier line' : `${left} earlier lines`;
      const were = left === 1 ? 'was' : 'were';
      say(`${lines} came later and ${were} not written. --backfill writes them.`);
      left = 0;
    },
  };
}

export interface ConnectionNotes {
  readonly note: (connection: LogConnectionState) => void;
  readonly wasConnected: () => boolean;
}

/** Writes each change of the connection to stderr, once. */
export function createConnectionNotes(say: Say): ConnectionNotes {
  let trouble: string | undefined;
  let connected = false;
  return {
    note(connection) {
      if (connection.kind === 'live') {
        if (trouble !== undefined) say('The log stream is connected again.');
        trouble = undefined;
        connected = true;
      } else if ('error' in connection && connection.error !== undefined) {
        const now = `${connection.kind} ${connection.error.sentence}`;
        if (connection.kind === 'connecting' || now === trouble) return;
        trouble = now;
        const { sentence, next } = connection.error;
        const consequence = {
          retrying: 'Retrying.',
          polling: 'Polling every two seconds.',
          stopped: next,
        };
        say(`${sentence} ${consequence[connection.kind]}`.trimEnd());
      }
    },
    wasConnected: () => connected,
  };
}
