import { expect, it } from 'vitest';
import { saveSentence } from '../../../source/store/editor/save-sentence.ts';
import type { SaveOutcome } from '../../../source/store/editor/save-state.ts';
import { failure } from '../requests.ts';

const names = {
  path: 'config/app.yaml',
  host: 'api.example.com',
  time: '12:01:03',
  restart: 'shop restarts in 4s. ^R changes that.',
};

const { error } = failure('service-error', { sentence: 'It answered 503.', next: 'Try later.' });

it.each<[SaveOutcome, string]>([
  [
    { kind: 'saved', at: 0, sent: true },
    'Saved config/app.yaml 12:01:03. shop restarts in 4s. ^R changes that.',
  ],
  [{ kind: 'unknown', error }, 'app.yaml may not have been saved. Draft kept; ^S retries.'],
  [{ kind: 'deleted' }, 'app.yaml was deleted on the service. Nothing was sent. ^S: create again.'],
  [{ kind: 'failed', error }, 'app.yaml was not saved. It answered 503. Draft kept. Try later.'],
  [
    { kind: 'unchecked', error },
    'app.yaml was not saved. It answered 503. Draft kept; ^S retries.',
  ],
  [
    { kind: 'not kept', whose: 'theirs', sentence: 'The disk is full.' },
    'Nothing was sent. The disk is full.',
  ],
])('%o is reported', (outcome, text) => {
  expect(saveSentence(outcome, names).text).toBe(text);
});

it('has a good tone only for a saved text', () => {
  expect(saveSentence({ kind: 'saved', at: 0, sent: false }, names)).toEqual({
    text: 'The service already has your app.yaml. Nothing was sent.',
    tone: 'good',
  });
  expect(saveSentence({ kind: 'conflict', text: true }, names).tone).toBe('bad');
  expect(saveSentence({ kind: 'merged' }, names).tone).toBe('plain');
});
