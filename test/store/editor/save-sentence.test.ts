import { expect, it } from 'vitest';
import { saveSentence } from '../../../source/store/editor/save-sentence.ts';
import type { SaveOutcome } from '../../../source/store/editor/save-state.ts';
import { failure } from '../requests.ts';

const names = {
  path: 'config/app.yaml',
  host: 'api.example.com',
  time: '12:01:03',
  restart: 'shop restarts in 4s. ^R: now or cancel.',
};

const { error } = failure('service-error', { sentence: 'It answered 503.', next: 'Try later.' });

it.each<[SaveOutcome, string]>([
  [
    { kind: 'saved', at: 0, sent: true },
    'Saved config/app.yaml 12:01:03. shop restarts in 4s. ^R: now or cancel.',
  ],
  [
    { kind: 'unknown', error },
    'No answer from api.example.com: app.yaml may not be saved. Draft kept. ^S checks and tries again.',
  ],
  [
    { kind: 'deleted' },
    'app.yaml was deleted on the service. Nothing sent. ^S offers to create it again.',
  ],
  [{ kind: 'failed', error }, 'app.yaml is not saved. It answered 503. Draft kept. Try later.'],
  [
    { kind: 'unchecked', error },
    'app.yaml could not be compared, nothing sent. It answered 503. Draft kept. ^S tries again.',
  ],
  [
    { kind: 'not kept', whose: 'theirs', sentence: 'The disk is full.' },
    'Nothing sent, theirs could not be kept: The disk is full.',
  ],
])('%o is said', (outcome, text) => {
  expect(saveSentence(outcome, names).text).toBe(text);
});

it('says good only what is on the service', () => {
  expect(saveSentence({ kind: 'saved', at: 0, sent: false }, names)).toEqual({
    text: 'app.yaml is on the service as you have it. Nothing sent.',
    tone: 'good',
  });
  expect(saveSentence({ kind: 'conflict', text: true }, names).tone).toBe('bad');
  expect(saveSentence({ kind: 'merged' }, names).tone).toBe('plain');
});
