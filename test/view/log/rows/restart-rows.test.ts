import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { clockText } from '../../../../source/store/log/times.ts';
import { RestartPlaces } from '../../../../source/store/log/restart-places.ts';
import type { LogRestarts } from '../../../../source/store/log/restarts.ts';
import { restartRowsOf } from '../../../../source/view/log/rows/restart-rows.ts';
import { listedEntries } from '../../../support/listed-entries.ts';
import type { Tail } from '../../../../source/store/log/tail.ts';

test('a restart note uses the time zone of the lines', () => {
  const at = Date.UTC(2026, 10, 21, 12, 1, 8);
  const lineAt = (time: number) => ({ logLine: 'a', timestamp: new Date(time).toISOString() });
  const tail = {
    deploymentIds: ['d'],
    entries: listedEntries([lineAt(at - 1000), lineAt(at + 1000)], [1, 2]),
    restarts: createStore<LogRestarts>(() => [{ deploymentId: 'd', at, isReported: true }]),
  } satisfies Partial<Tail>;
  const said = (utc: boolean) =>
    restartRowsOf(
      tail as unknown as Tail,
      new RestartPlaces(),
      ['shop'],
      utc,
    )(1).map(([part]) => part?.text);
  expect(said(true)).toEqual([' -- shop restarted 12:01:08Z --']);
  expect(said(false)).toEqual([` -- shop restarted ${clockText(at, false)} --`]);
});
