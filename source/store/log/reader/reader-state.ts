import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { createLogMarks, type LogMarks } from './marks.ts';
import { createLogRates, type LogRates } from '../rates.ts';
import { createLogSeek, type LogSeek } from './seek.ts';
import type { LogView } from './view.ts';

/** What the reader of one log does in it and learns of it, beside where he stands. */
export interface ReaderState {
  readonly seek: LogSeek;
  readonly marks: LogMarks;
  readonly rates: LogRates;
  /** How the lines were laid out when the log was drawn last, and the row of the cursor. */
  laidOut: { readonly wrap: boolean; readonly width: number; readonly row: number } | undefined;
}

export function createReaderState(entries: Entries<LogLine>, view: LogView): ReaderState {
  return {
    seek: createLogSeek(view),
    marks: createLogMarks(entries),
    rates: createLogRates(),
    laidOut: undefined,
  };
}
