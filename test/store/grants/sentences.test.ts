import { expect, test } from 'vitest';
import type { Grant } from '../../../source/contract/grants.ts';
import {
  grantedSentence,
  copySentence,
  revokeQuestion,
  termsSentences,
  grantFailureSentence,
  revokeObstacle,
  revokeFailureSentence,
} from '../../../source/store/grants/sentences.ts';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import { boxText } from '../../support/box-text.ts';

const dana = { name: 'Dana', address: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c' };
const order = {
  grantee: dana,
  isNew: false,
  digits: '50',
  until: Date.parse('2026-12-21T01:04:00Z'),
  endOfDay: false,
};
const grant: Grant = {
  id: 'g1',
  grantor: '0x9f00000000000000000000000000000000000001',
  grantee: dana.address,
  limit: 50,
  spent: 12.5,
  created_at: '2026-11-21T01:04:00Z',
  expires_at: '2026-12-21T01:04:00Z',
};
const lost: ServiceError = {
  code: 'disconnected',
  operation: 'create grant',
  sentence:
    'No answer from h to create grant before the connection was lost; it may have succeeded.',
  next: 'Check whether it did.',
  unknownOutcome: true,
};
const refused: ServiceError = {
  ...lost,
  code: 'invalid',
  status: 422,
  sentence: 'Create grant failed: h rejected the content (422).',
  errorMessage: 'limit: expected less.',
  unknownOutcome: false,
};

test('the terms are shown before the grant is created', () => {
  expect(termsSentences(order)).toEqual([
    'Dana may spend up to 50 from your balance until then.',
    'You can revoke it earlier. It cannot be extended.',
  ]);
  expect(termsSentences({ ...order, isNew: true, grantee: { address: 'x1' } })[0]).toBe(
    'The wallet address x1 may spend up to 50 from your balance until then.',
  );
  expect(termsSentences({ ...order, endOfDay: true })[0]).toContain('the end of that day here');
});

test('a limit that the service changed is reported', () => {
  expect(grantedSentence(order, grant)).toBe('Dana may spend up to 50 until 2026-12-21 01:04 UTC.');
  expect(grantedSentence(order, { ...grant, limit: 5 })).toContain(
    'The service recorded a limit of 5.',
  );
});

test('a rejection quotes the service, an unknown outcome says what to do', () => {
  expect(grantFailureSentence(refused, 'h')).toBe(
    'Create grant failed: h rejected the content (422). Nothing was granted. Check whether it did. It says: limit: expected less.',
  );
  expect(grantFailureSentence(lost, 'h')).toBe(
    'No answer from h. The grant may have been created. Check the list before you retry.',
  );
  expect(revokeFailureSentence(lost, 'h', dana)).toBe(
    'No answer from h. The grant to Dana may have been revoked. Check the list. X: revoke again.',
  );
});

test('the reason why a grant cannot be revoked is given', () => {
  expect(revokeObstacle(grant, 'active', 'given')).toBeUndefined();
  expect(revokeObstacle(grant, 'limit reached', 'unknown')).toBeUndefined();
  expect(revokeObstacle(grant, 'active', 'received')).toContain(grant.grantor);
  expect(revokeObstacle(grant, 'expired', 'given')).toContain('has expired');
  expect(revokeObstacle(grant, 'revoked', 'given')).toContain('already revoked');
});

test('the confirmation shows full addresses and the spending, and requires the last four characters', () => {
  const question = revokeQuestion(grant, 'given', dana);
  expect(boxText(question)).toContain(grant.grantee);
  expect(boxText(question)).toContain(`${grant.grantor} (you)`);
  expect(boxText(question)).toContain('12.5 of 50 spent');
  expect(boxText(question)).toContain('loses access at once');
  expect(question.typed).toBe('9f3c');
  expect(question.options[0].label).toBe('Cancel');
});

test('for an unknown caller the confirmation says that the service decides', () => {
  expect(boxText(revokeQuestion(grant, 'unknown', { address: dana.address }))).toContain(
    'The service decides',
  );
});

test('an address end that cannot be typed is not required', () => {
  expect(revokeQuestion({ ...grant, grantee: 'кошелёк' }, 'given', dana).typed).toBe('revoke');
});

test.each(['active', 'expired', 'limit reached', 'revoked'] as const)(
  'a copy of a grant in the state %s explains the effect on that grant',
  (state) => {
    expect(copySentence(state)).toMatch(
      /^The old grant .*\. (Both can be spent|This makes a new one)\.$/,
    );
  },
);
