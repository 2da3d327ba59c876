import { expect, test } from 'vitest';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import { creationSentence } from '../../../source/store/editor/creation-sentence.ts';

const names = { label: 'shop', host: 'api.example.com', shown: true, isDraft: true };
const failed = (change: Partial<ServiceError>): ServiceError => ({
  code: 'service-error',
  operation: 'create deployment',
  sentence: 'Create deployment failed (503).',
  next: 'Try again when the service has recovered.',
  unknownOutcome: false,
  ...change,
});
const refused = (change: Partial<ServiceError>) =>
  creationSentence({ kind: 'refused', error: failed(change) }, names).text;

test('a created deployment is named, and later text is reported as a draft', () => {
  const created = { kind: 'created', deployment: { id: '1', services: [] } } as const;
  expect(creationSentence({ ...created, typedOn: false }, names)).toEqual({
    text: 'Created shop. This is its log.',
    tone: 'good',
  });
  const typedOn = creationSentence({ ...created, typedOn: true }, { ...names, shown: false });
  expect(typedOn.text).toBe(
    'Created shop. Text typed since then is kept as a draft of another deployment.',
  );
});

test('a refusal names the first line and counts the others', () => {
  const details = [
    { field: 'deployment', message: 'expected less' },
    { field: 'services.web', message: 'expected a command', line: 9 },
    { field: 'version', message: 'expected "2.0"', line: 4, column: 3 },
  ];
  expect(refused({ code: 'invalid', errorDetails: details })).toBe(
    'Not created; draft kept. Line 4: version: expected "2.0". 2 more. F8: next problem. ^S retries.',
  );
});

test('a refusal of a text as it was opened tells of no draft', () => {
  const outcome = { kind: 'refused', error: failed({}) } as const;
  expect(creationSentence(outcome, { ...names, isDraft: false }).text).toBe(
    'Not created. Create deployment failed (503). Try again when the service has recovered.',
  );
});

test("a refusal without lines has the service's error message, else our sentence", () => {
  expect(
    refused({ code: 'invalid', errorMessage: 'it names no services', next: 'Put it right.' }),
  ).toBe('Not created; draft kept. The service: it names no services. Put it right.');
  expect(refused({ errorMessage: 'stack trace' })).toBe(
    'Not created; draft kept. Create deployment failed (503). Try again when the service has recovered.',
  );
});

test('an error message of the service comes without unrelated advice', () => {
  expect(
    refused({ code: 'bad-request', status: 402, errorMessage: 'no room', next: 'Check.' }),
  ).toBe('Not created; draft kept. The service: no room. ^S retries.');
  expect(
    refused({ code: 'service-error', status: 200, errorMessage: 'no room', next: 'Try.' }),
  ).toBe('Not created; draft kept. The service: no room. Try.');
});

test('a missing answer is not reported as a failure', () => {
  const unknown = (change: Partial<ServiceError>) =>
    creationSentence({ kind: 'unknown', error: failed({ unknownOutcome: true, ...change }) }, names)
      .text;
  expect(unknown({ code: 'disconnected' })).toBe(
    'No answer from api.example.com. It may have been created. Check the list; ^S retries.',
  );
  expect(unknown({ status: 201, sentence: 'Cannot read this answer.' })).toBe(
    'Cannot read this answer. It may have been created. Check the list; ^S retries.',
  );
});
