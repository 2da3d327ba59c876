import type { LogLine } from '../contract/logs.ts';
import type { LogConnectionState } from '../store/log/feed/connection.ts';
import { gapSentence } from '../tail/arena/gap.ts';
import type { GapEntry } from '../tail/arena/entries.ts';

/** Writes a sentence to stderr, as a line. */
export type Say = (sentence: string) => void;

/** A gap in written output is final: its lines can't be inserted later. */
const missing = { kind: 'missing', why: 'unanswered' } as const;

/** Returns the sentence that tells which lines are missing from the output. */
export function gapNote({ after, until }: GapEntry<LogLine>): string {
  const sentence = gapSentence({ state: missing, after, until });
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
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
        say(`${sentence} ${consequence[connection.kind]}`);
      }
    },
    wasConnected: () => connected,
  };
}
