import { expect, test } from 'vitest';
import {
  deletedSentence,
  deletionQuestion,
  namesOf,
} from '../../../source/store/files/questions.ts';
import { transferDecision, uploadQuestion } from '../../../source/store/transfers/questions.ts';
import type { UploadItem, UploadPlan } from '../../../source/store/transfers/upload-plan.ts';

const place = { deploymentId: 'd', service: 'web' };
const item = (path: string, replaces?: UploadItem['replaces']): UploadItem => ({
  file: `/here/${path}`,
  path,
  size: 1,
  replaces,
});

function planOf(items: readonly UploadItem[], leftOut: UploadPlan['leftOut'] = []): UploadPlan {
  return { place, target: 'config', items, leftOut };
}

test('a long list of names ends in the number of names left out', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(namesOf(names)).toEqual(names);
  expect(namesOf([...names, 'g'])).toEqual(['a', 'b', 'c', 'd', 'e', 'and 2 more']);
});

test('deleting several files needs a typed word, one file does not', () => {
  expect(deletionQuestion(['a/b.txt'], 'shop/web')).toMatchObject({ title: 'delete b.txt?' });
  expect(deletionQuestion(['a/b.txt'], 'shop/web').typed).toBeUndefined();
  expect(deletionQuestion(['a', 'b'], 'shop/web')).toMatchObject({
    typed: 'delete 2',
    typedIs: 'text',
  });
  expect(deletionQuestion(['a', 'b'], 'shop/web').typed).toBe('delete 2');
});

test.each([
  [['a'], 1, 'Deleted a of shop/web for good.'],
  [['a', 'b'], 1, 'Deleted 2 files of shop/web, 1 for good.'],
  [['a', 'b'], 2, 'Deleted 2 files of shop/web for good.'],
])('after %j were deleted, %d of them without a copy: %s', (paths, lost, sentence) => {
  expect(deletedSentence(paths, lost, 'shop/web')).toBe(sentence);
});

test('an upload of new files offers no Replace, and names its target', () => {
  const question = uploadQuestion(planOf([item('config/a')]), 'shop/web', '1 B');
  expect(question.lines[0]).toBe('To shop/web/config/, 1 B:');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Upload']);
  expect([0, 1].map((chosen) => transferDecision(question, chosen))).toEqual(['cancel', 'skip']);
});

test('an upload that only replaces files offers no Skip', () => {
  const question = uploadQuestion(planOf([item('a', { size: 1, kept: true })]), 'shop/web', '1 B');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Replace']);
  expect(question.options[1]).toMatchObject({ destroys: true });
  expect(transferDecision(question, 1)).toBe('replace');
});

test('an upload names the files it skips and those too large for the trash', () => {
  const items = [item('big', { size: 9e9, kept: false }), item('new')];
  const leftOut = [
    { path: '/here/pipe', reason: 'it is not a regular file' },
    { path: '/here/link', reason: 'a link to a folder' },
  ];
  const question = uploadQuestion(planOf(items, leftOut), 'shop/web', '9 GB');
  expect(question.lines).toContain('Too large for the trash: big.');
  expect(question.lines).toContain(
    'Left out: /here/pipe, it is not a regular file. 1 more is left out too.',
  );
  expect(question.options.at(-1)?.meaning).toBe('replaces the files');
  expect(transferDecision(question, 0)).toBe('cancel');
});
