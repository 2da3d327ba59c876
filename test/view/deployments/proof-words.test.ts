import { expect, it } from 'vitest';
import type { ShownProof } from '../../../source/store/proof/proofs.ts';
import { stateSpan } from '../../../source/view/deployments/rows.ts';

const read = { value: { id: 'shop', state: 'active', services: [] }, unknown: {} };
const row = { read, cursor: false, opened: false, restart: undefined };

it('the row of a proved restart counts down, and then shows the verdict', () => {
  const proof: ShownProof = { kind: 'proving', left: 12 };
  const proving = { kind: 'proving', word: 'checking' } as const;
  expect(stateSpan({ ...row, condition: proving, proof })).toMatchObject({ text: 'checking 12s' });
  const waiting: ShownProof = { kind: 'proving', left: undefined };
  expect(stateSpan({ ...row, condition: proving, proof: waiting })).toMatchObject({
    text: 'check waits',
  });
  const verdicts = [
    [{ kind: 'worse', word: 'errors up' }, 'errors up', 'bad'],
    [{ kind: 'unclear', word: 'unclear' }, 'unclear', 'busy'],
  ] as const;
  for (const [condition, text, token] of verdicts) {
    expect(stateSpan({ ...row, condition })).toMatchObject({ text, token });
  }
});
