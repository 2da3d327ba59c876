import { describe, expect, it, onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LogRestarts } from '../../../source/store/log/restarts.ts';
import { FollowedLog } from '../../../source/store/log/feed/followed-log.ts';
import { createTail } from '../../../source/store/log/tail.ts';
import { gapText } from '../../../source/view/log/gap.ts';
import { logWindow } from '../../../source/view/log/rows/window.ts';
import { createTestClock, settled } from '../../support/clock.ts';
import { LogModel } from '../../servers/log-model.ts';

const height = 10;

/** Opens a log with little memory, and draws it on a small screen. */
async function flooded() {
  const model = new LogModel({ retention: 50 });
  const clock = createTestClock();
  const logs = new FollowedLog({
    client: model,
    deploymentId: 'd',
    clock,
    random: () => 0,
    maxLines: 128,
    publishInterval: 0,
  });
  const restarts = createStore<LogRestarts>(() => []);
  const source = { log: logs, deploymentIds: ['d'], joined: undefined, restarts };
  const tail = createTail(source, clock);
  const { entries, view } = tail;
  onTestFinished(() => tail.stop());
  let line = 0;
  const append = async (count: number) => {
    for (let left = count; left > 0; left -= 1) model.append(`line ${(line += 1)}`);
    await settled();
  };
  await append(60);
  const draw = () => {
    const window = logWindow({
      entries,
      position: view.position.getState(),
      top: view.top(),
      height,
      rowsOf: (entry) => [[{ text: entry.kind === 'line' ? entry.line.logLine : gapText(entry) }]],
    });
    view.recordTop(window.top);
    return window.rows.map((row) => row[0]?.text ?? '');
  };
  return { ...tail, logs, append, draw };
}

const linesUpTo = (last: number) =>
  Array.from({ length: height }, (_, index) => `line ${last - height + 1 + index}`);

describe('a frozen log in a flood', () => {
  it('shows the same lines after memory has dropped them', async () => {
    const { logs, view, append, draw } = await flooded();
    await append(20);
    expect(draw()).toEqual(linesUpTo(80));
    view.toggleFreeze();
    expect(draw()).toEqual(linesUpTo(80));
    for (let round = 0; round < 10; round += 1) {
      await append(50);
      expect(draw()).toEqual(linesUpTo(80));
    }
    expect(logs.entries.length).toBeLessThan(130);
    expect(logs.entries.at(logs.entries.length - 1)).toMatchObject({ line: { id: 580 } });
  });

  it('scrolls up, and down across the gap to the remaining lines', async () => {
    const { view, append, draw } = await flooded();
    await append(20);
    draw();
    view.toggleFreeze();
    await append(500);
    view.move(-15);
    expect(draw()).toEqual(linesUpTo(74));
    view.move(15);
    expect(draw()[height - 1]).toBe('line 80');
    // Some lines behind the cursor stay, too.
    let row = '';
    for (let last = 81; row === '' || row === `line ${last - 1}`; last += 1) {
      view.move(1);
      row = draw()[height - 1] ?? '';
    }
    expect(row).toMatch(/^-- lines 1\d\d to 5\d\d not loaded --$/);
    view.move(1);
    expect(draw()[height - 1]).toMatch(/^line 5\d\d$/);
    const shown = draw();
    await append(300);
    expect(draw()).toEqual(shown);
  });

  it('filters the lines that memory keeps, and shows all again without the filter', async () => {
    const { filter, view, append, draw } = await flooded();
    await append(20);
    draw();
    view.toggleFreeze();
    const before = draw();
    await append(500);
    for (const text of ['7', '77']) {
      filter.setQuery({ text, regex: false });
      expect(draw()).toContain('line 77');
      expect(draw()).not.toContain('line 80');
      await append(50);
      expect(draw()).toContain('line 77');
    }
    filter.setQuery(undefined);
    expect(draw()).toEqual(before);
  });

  it('drops the lines when it follows again', async () => {
    const { view, append, draw, logs } = await flooded();
    view.move(-1);
    draw();
    await append(400);
    view.follow();
    expect(draw()).toEqual(linesUpTo(460));
    view.move(Number.NEGATIVE_INFINITY);
    const oldest = logs.entries.at(0);
    expect(draw()[0]).toBe(oldest?.kind === 'line' ? oldest.line.logLine : '');
  });
});
