import { expect, it } from 'vitest';
import { matchEntries } from '../../../../source/store/log/reader/scan.ts';
import { parseLineQuery } from '../../../../source/tail/query/log-query.ts';
import { createTestClock } from '../../../support/clock.ts';
import { listedEntries } from '../../../support/listed-entries.ts';

const texts = ['GET /pay 200', 'ERROR timeout of pay', 'WARN slow', 'done'];
const entries = listedEntries(texts.map((logLine) => ({ logLine, serviceName: 'web' })));

it.each([
  [{ text: 'pay', regex: false }, ['GET /pay 200', 'ERROR timeout of pay']],
  [{ text: '!pay', regex: false }, ['WARN slow', 'done']],
  [{ text: '^GET|slow$', regex: true }, ['GET /pay 200', 'WARN slow']],
  [{ text: 'level:error', regex: false }, ['ERROR timeout of pay']],
  [{ text: 'service:db', regex: false }, []],
])('of the lines of a page, %o finds %j', (query, found) => {
  const parsed = parseLineQuery(query);
  if (!parsed.ok) throw new Error('it is no query');
  const all = entries.slice(0, entries.length);
  const matched = [...matchEntries(all, parsed.value, createTestClock())];
  expect(matched.map((entry) => (entry.kind === 'line' ? entry.line.logLine : ''))).toEqual(found);
});
