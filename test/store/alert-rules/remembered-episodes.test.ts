import { expect, it } from 'vitest';
import type { AlertRule } from '../../../source/store/alert-rules/rule.ts';
import {
  readEpisodes,
  storedEpisodes,
} from '../../../source/store/alert-rules/remembered-episodes.ts';

const now = Date.UTC(2026, 10, 26, 12);
const hour = 3_600_000;
const rule = (when: string): AlertRule => ({
  when,
  action: 'bell',
  deployments: [],
  condition: { kind: 'alert', scope: 'deployments', alerts: ['failed'] },
});
const [crash, grant] = [rule('crash'), rule('grant<1d')];
const told = { isTold: true, clearFor: 0 };
const held = { isTold: false, clearFor: 2000 };

it('episodes come back with their rules, whatever the order of these', () => {
  const episodes = new Map([
    ['list 0 a b', told],
    ['grant 1 7', held],
  ]);
  const stored: unknown = JSON.parse(
    JSON.stringify(storedEpisodes(undefined, episodes, [crash, grant], now)),
  );
  expect([...readEpisodes(stored, [grant, crash], now + hour - 1)]).toEqual([
    ['list 1 a b', told],
    ['grant 0 7', held],
  ]);
  expect(readEpisodes(stored, [crash], now)).toEqual(new Map([['list 0 a b', told]]));
});

it('episodes are forgotten after an hour without a watch, and when the clock was set back', () => {
  const stored = storedEpisodes(undefined, new Map([['list 0 a', told]]), [crash], now);
  expect(readEpisodes(stored, [crash], now + hour)).toEqual(new Map());
  expect(readEpisodes(stored, [crash], now - 1)).toEqual(new Map());
});

it('a watch keeps what another one has stored of other rules', () => {
  const other = storedEpisodes(undefined, new Map([['grant 0 7', told]]), [grant], now);
  const both = storedEpisodes(other, new Map([['list 0 a', told]]), [crash], now + 1);
  expect(readEpisodes(both, [crash, grant], now + 1)).toEqual(
    new Map([
      ['grant 1 7', told],
      ['list 0 a', told],
    ]),
  );
  expect(readEpisodes(storedEpisodes(both, new Map(), [crash], now), [crash], now)).toEqual(
    new Map(),
  );
});

it('anything else that is stored counts as nothing', () => {
  for (const stored of [undefined, {}, [{}, null, { kind: 'list', when: 'crash', id: 'a' }]]) {
    expect(readEpisodes(stored, [crash], now)).toEqual(new Map());
  }
});
