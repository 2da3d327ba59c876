import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { type ColumnChoice, createColumnChoice } from './columns.ts';
import { createLogMarks, type LogMarks } from './marks.ts';
import { createLogRates, type LogRates } from '../rates.ts';
import { createLogSeek, type LogSeek } from './running-seek.ts';
import type { LogView } from './view.ts';

/** State of the reader of one log, except the position. */
export interface ReaderState {
  readonly seek: LogSeek;
  readonly marks: LogMarks;
  readonly rates: LogRates;
  /** Fields that are shown as columns. */
  readonly columns: ColumnChoice;
  /** Layout of the lines in the last frame, and the row of the cursor. */
  laidOut:
    | {
        readonly wrap: boolean;
        readonly width: number;
        readonly row: number;
        /** Rows by which the line under the cursor may be scrolled; 0 when it fits the window. */
        readonly hidden: number;
      }
    | undefined;
}

export function createReaderState(entries: Entries<LogLine>, view: LogView): ReaderState {
  return {
    seek: createLogSeek(view),
    marks: createLogMarks(entries),
    rates: createLogRates(),
    columns: createColumnChoice(),
    laidOut: undefined,
  };
}
