/** The log as rows that are computed at the moment of painting. */
import type { Clock } from '../../../store/time/clock.ts';
import { fillsScreen } from '../../../store/log/reader/filter.ts';
import type { PaintSource } from '../../parts/painted.tsx';
import { cursorRole } from '../../parts/row.tsx';
import type { Tail } from '../../../store/log/tail.ts';
import { type LogFrameRows, layOutLog, type LogRowsOptions } from './frame.ts';

/** Returns the log as a source of rows, computed on each paint. */
export function logRows(options: LogRowsOptions): PaintSource {
  const { tail, layout, clock, isFocused } = options;
  let frame: LogFrameRows | undefined;
  return {
    subscribe(changed) {
      const ends = [
        tail.log.state.subscribe(() => changed()),
        tail.restarts.subscribe(() => changed()),
        tail.folds.state.subscribe(() => changed(true)),
        ...subscribeToQueries(tail, changed),
      ];
      if (layout.times === 'relative') ends.push(everySecond(clock, changed));
      return () => {
        for (const end of ends) end();
      };
    },
    rows() {
      frame = layOutLog(options);
      return frame.rows;
    },
    role: (row) => (frame?.cursorRows.has(row) === true ? cursorRole(isFocused) : undefined),
    targetOf: (row) => frame?.targets.get(row),
    drawn() {
      options.code?.fetchMissing();
      const position = frame?.position;
      if (position === undefined) return;
      tail.view.recordTop(position.top);
      tail.reading.laidOut = position.laidOut;
    },
  };
}

/** Reports query changes; a new query and its first full screen are urgent. */
function subscribeToQueries({ filter, search }: Tail, changed: (urgent?: boolean) => void) {
  return [
    filter.state.subscribe((now, before) => {
      const isOther =
        now.active !== before.active ||
        now.services !== before.services ||
        now.members !== before.members;
      changed(isOther || fillsScreen(before, now));
    }),
    search.state.subscribe(({ query }, before) => {
      if (query !== before.query) changed(true);
    }),
  ];
}

function everySecond(clock: Clock, action: () => void): () => void {
  let cancel = () => {};
  const tick = () => {
    cancel = clock.after(1000 - (clock.now() % 1000), () => {
      action();
      tick();
    });
  };
  tick();
  return () => cancel();
}
