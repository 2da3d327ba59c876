import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import { trackGapCursor } from '../../../../source/store/log/reader/gap-cursor.ts';
import { LogView, cursorSeq } from '../../../../source/store/log/reader/view.ts';
import type { InsertedRun } from '../../../../source/tail/arena/entries.ts';
import { JoinedEntries } from '../../../../source/tail/joined/joined-entries.ts';
import { FakeLog } from '../../../tail/fake-log.ts';

const lineOf = (id: number): LogLine => ({ id, logLine: `line ${id}` });

/** Joins line 1, a gap and line 9 of one log with line 5 of another. */
function createWorld() {
  const logs = [newLog(), newLog()] as const;
  const joined = new JoinedEntries<LogLine>(logs, ({ id }) => Number(id));
  const listeners = new Set<(runs: readonly InsertedRun[]) => void>();
  const notify = (number: 0 | 1, runs: readonly InsertedRun[]): void => {
    const runsInJoined = joined.applyChange(number, runs, 0);
    for (const listener of listeners) listener(runsInJoined);
  };
  const put = (number: 0 | 1, id: number, index?: number): void => {
    notify(number, logs[number].insert([lineOf(id)], index));
  };
  put(0, 1);
  put(0, 9);
  put(1, 5);
  logs[0].openGap(1);
  notify(0, []);
  const view = new LogView({ entries: joined, received: () => 0 });
  const stop = trackGapCursor({
    entries: joined,
    view,
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const shown = (): readonly string[] => {
    const cursor = cursorSeq(view.position.getState());
    const at = cursor === undefined ? -1 : joined.indexOf(cursor);
    return joined
      .slice(0, joined.length)
      .map(
        (entry, index) =>
          `${index === at ? '>' : ''}${entry.kind === 'gap' ? 'gap' : entry.line.id}`,
      );
  };
  const gap = () => joined.gaps[0]?.seq ?? expect.fail('no gap');
  return { logs, joined, view, put, tell: notify, shown, gap, stop };
}

function newLog(): FakeLog<LogLine> {
  return new FakeLog(({ logLine }) => logLine);
}

describe('the cursor on a gap of joined logs', () => {
  it('stays on the gap while it is filled and moves past lines of the other log', () => {
    const { view, put, shown, gap } = createWorld();
    view.goTo(gap());
    expect(shown()).toEqual(['1', '5', '>gap', '9']);
    put(0, 7, 2);
    expect(shown()).toEqual(['1', '5', '>gap', '7', '9']);
    put(0, 3, 2);
    expect(shown()).toEqual(['1', '>gap', '3', '5', '7', '9']);
    put(0, 2, 1);
    expect(shown()).toEqual(['1', '2', '>gap', '3', '5', '7', '9']);
  });

  it('moves to the next line when the gap is filled', () => {
    const { logs, view, put, tell, shown, gap } = createWorld();
    view.goTo(gap());
    put(0, 7, 2);
    logs[0].closeGap(0);
    tell(0, []);
    expect(shown()).toEqual(['1', '5', '>7', '9']);
  });

  it('does not return to the gap from a line', () => {
    const { view, put, shown, gap } = createWorld();
    view.goTo(gap());
    view.move(1);
    put(0, 7, 2);
    expect(shown()).toEqual(['1', '5', 'gap', '7', '>9']);
  });

  it('stays in place after the log is closed', () => {
    const { view, put, shown, gap, stop } = createWorld();
    view.goTo(gap());
    stop();
    put(0, 3, 2);
    expect(shown()).toEqual(['1', 'gap', '3', '5', '>9']);
  });
});
