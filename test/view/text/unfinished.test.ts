import { expect, test } from 'vitest';
import { unfinishedSentence } from '../../../source/view/text/unfinished.ts';

const at = new Date(2026, 10, 20, 14, 2, 9).getTime();
const minute = 60_000;
const shop = {
  deploymentId: 'a',
  name: 'shop',
  files: [
    { service: 'web', path: 'a' },
    { service: 'web', path: 'b' },
  ],
  state: 'counting',
  since: at,
} as const;
const none = { count: 0, since: 0 };

test('the sentence summarises unfinished work and its oldest time', () => {
  expect(unfinishedSentence([shop], { count: 1, since: at + minute }, at + 9 * minute)).toBe(
    'Unfinished since 14:02: 1 draft, 1 restart of shop (2 files). Nothing was sent yet.',
  );
  expect(unfinishedSentence([], { count: 2, since: at }, at)).toBe(
    'Unfinished since 14:02: 2 drafts. Nothing was sent yet.',
  );
});

test('a deployment without an answer is not called unsent', () => {
  expect(unfinishedSentence([], { count: 1, since: at, sent: true }, at)).toBe(
    'Unfinished since 14:02: 1 draft. A deployment was sent; no answer came.',
  );
});

test('an earlier day is shown as a date', () => {
  expect(unfinishedSentence([shop], none, at + 3000 * minute)).toContain('since 2026-11-20:');
});

test('there is no sentence without unfinished work', () => {
  expect(unfinishedSentence([], none, at)).toBeUndefined();
});
