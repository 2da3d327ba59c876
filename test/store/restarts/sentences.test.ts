import { expect, test } from 'vitest';
import {
  answerSentence,
  cancelledSentence,
  countingSentence,
  pendingRestartText,
} from '../../../source/store/restarts/sentences.ts';
import type { Restart } from '../../../source/store/restarts/state.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { restartKeyName } from '../../../source/store/deck/screen/main-view.ts';
import { done } from '../requests.ts';
import { config, lost, page, refused } from './restarts-fixture.ts';

const changes = { files: [config], since: 0 };
const counting: Restart = { kind: 'counting', changes, left: 4000, deadline: 4000 };

test('a saved file is reported with the restart that applies it', () => {
  expect(countingSentence('shop', counting)).toBe('shop restarts in 4s. ^R changes that.');
  expect(countingSentence('shop', { kind: 'unapplied', changes })).toBe(
    'Unapplied; ^R restarts shop.',
  );
});

test('a cancelled restart counts the unapplied changes', () => {
  expect(cancelledSentence('shop', 2, 'r')).toBe(
    'Restart of shop cancelled. 2 changes unapplied; r restarts.',
  );
});

test('the outcome of a restart ends in the next step, if there is one', () => {
  const failed: Restart = { kind: 'failed', at: 0, error: refused.error, changes };
  const unknown: Restart = { kind: 'unknown', at: 0, error: lost.error, changes };
  const cases = [
    [done, undefined, 'shop is restarting.'],
    [refused, failed, 'Restart of shop failed (503). Changes are unapplied. r: restart again.'],
    [refused, { ...failed, changes: undefined }, 'Restart of shop failed (503). r: restart again.'],
    [refused, counting, 'Restart of shop failed (503). shop restarts again in 4s.'],
    [lost, unknown, 'shop may have restarted. Check its log; r: restart again.'],
    [lost, counting, 'shop may have restarted. shop restarts again in 4s.'],
  ] as const;
  for (const [result, after, text] of cases) {
    expect(answerSentence('shop', result, after, 'r').text).toBe(text);
  }
});

test('pending restarts are summarised', () => {
  const entry = { deploymentId: 'a', name: 'shop', state: 'counting', since: 0 } as const;
  expect(pendingRestartText([])).toBeUndefined();
  expect(pendingRestartText([{ ...entry, files: [config, page] }])).toBe(
    '1 restart of shop (2 files)',
  );
  expect(
    pendingRestartText([
      { ...entry, files: [config, page] },
      { ...entry, files: [config] },
    ]),
  ).toBe('2 restarts (3 files)');
});

test('in the editor, where letters are text, the key of a restart is ^R', () => {
  expect(cancelledSentence('shop', 1, '^R')).toContain('^R restarts.');
  const failed: Restart = { kind: 'failed', at: 0, error: refused.error, changes };
  const { text } = answerSentence('shop', refused, failed, '^R');
  expect(text).toContain('^R: restart again.');
  const screen = createScreenStore().getState();
  expect(restartKeyName({ ...screen, focus: 'main', main: { kind: 'editor' } })).toBe('^R');
  expect(restartKeyName({ ...screen, focus: 'files', main: { kind: 'editor' } })).toBe('r');
  expect(restartKeyName({ ...screen, focus: 'main', main: { kind: 'logs' } })).toBe('r');
});
