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

test('a saved file is told when it takes effect', () => {
  expect(countingSentence('shop', counting)).toBe('shop restarts in 4s. ^R: now or cancel.');
  expect(countingSentence('shop', { kind: 'not applied', changes })).toBe(
    'Not applied; ^R restarts shop.',
  );
});

test('a cancelled restart counts the changes that are not applied', () => {
  expect(cancelledSentence('shop', 2, 'r')).toBe(
    'Restart of shop cancelled. 2 changes not applied; r restarts.',
  );
});

test('the outcome of a restart says what is to be done, where something is', () => {
  const failed: Restart = { kind: 'failed', at: 0, error: refused.error, changes };
  const unknown: Restart = { kind: 'unknown', at: 0, error: lost.error, changes };
  const cases = [
    [done, undefined, 'Restart of shop accepted; its log shows it.'],
    [refused, failed, 'Restart of shop failed: 503. Changes not applied. r asks again.'],
    [refused, { ...failed, changes: undefined }, 'Restart of shop failed: 503. r asks again.'],
    [refused, counting, 'Restart of shop failed: 503. shop restarts again in 4s.'],
    [
      lost,
      unknown,
      'No answer to the restart of shop. It may have happened: check its log, then r.',
    ],
  ] as const;
  for (const [result, after, text] of cases) {
    expect(answerSentence('shop', result, after, 'r').text).toBe(text);
  }
});

test('what is owed is told in few words', () => {
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

test('in the editor, where a letter types, the key for a restart is another', () => {
  expect(cancelledSentence('shop', 1, '^R')).toContain('^R restarts.');
  const failed: Restart = { kind: 'failed', at: 0, error: refused.error, changes };
  const said = answerSentence('shop', refused, failed, '^R').text;
  expect(said).toContain('^R asks again.');
  const screen = createScreenStore().getState();
  expect(restartKeyName({ ...screen, focus: 'main', main: { kind: 'editor' } })).toBe('^R');
  expect(restartKeyName({ ...screen, focus: 'files', main: { kind: 'editor' } })).toBe('r');
  expect(restartKeyName({ ...screen, focus: 'main', main: { kind: 'logs' } })).toBe('r');
});
