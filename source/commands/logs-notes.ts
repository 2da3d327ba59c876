import type { LogLine } from '../contract/logs.ts';
import type { LogConnectionState } from '../store/log/feed/connection.ts';
import { gapSentence } from '../tail/arena/gap.ts';
import type { GapEntry } from '../tail/arena/entries.ts';

/** Writes a sentence to stderr, as a line. */
export type Say = (sentence: string) => void;

/** What is not there when its turn comes will not be. */
const missing = { kind: 'missing', why: 'unanswered' } as const;

/** Says of a gap which lines are not in the output. */
export function gapNote({ after, until }: GapEntry<LogLine>): string {
  const sentence = gapSentence({ state: missing, after, until });
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

export interface ConnectionNotes {
  readonly note: (connection: LogConnectionState) => void;
  readonly wasConnected: () => boolean;
}

/** Says what happens to the connection, each thing once. */
export function createConnectionNotes(say: Say): ConnectionNotes {
  let trouble: string | undefined;
  let connected = false;
  return {
    note(connection) {
      if (connection.kind === 'live') {
        if (trouble !== undefined) say('The log stream is back.');
        trouble = undefined;
        connected = true;
      } else if ('error' in connection && connection.error !== undefined) {
        const told = `${connection.kind} ${connection.error.sentence}`;
        if (connection.kind === 'connecting' || told === trouble) return;
        trouble = told;
        const { sentence, next } = connection.error;
        const going = {
          retrying: 'Trying again.',
          polling: 'Asking every two seconds.',
          stopped: next,
        };
        say(`${sentence} ${going[connection.kind]}`);
      }
    },
    wasConnected: () => connected,
  };
}
