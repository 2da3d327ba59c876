import { expect, test } from 'vitest';
import { createProofRecords } from '../../../../source/disk/proof-records.ts';
import type { ProofRecord } from '../../../../source/store/proof/proof-record.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { temporaryKept } from '../../../support/temporary-state.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { openDeck, type OpenDeck } from '../../open-deck.ts';
import { boxOf, openUndo, press } from '../../press-keys.ts';

/** Writes lines around a restart whose run was found worse, and shows its verdict. */
async function openWorse(): Promise<{ readonly open: OpenDeck; readonly at: number }> {
  const kept = { ...temporaryKept(), proofs: createProofRecords(temporaryFolder(), 'service') };
  const open = await openDeck({}, undefined, { kept });
  const { deck, foreign } = open;
  const { sample: deploymentId } = foreign;
  const { operations } = await deck.files.work();
  const file = { deploymentId, service: 'web', path: 'config/flags.json' };
  await operations.copy({ ...file, path: 'index.html' }, file.path, { replace: true });
  foreign.append(deploymentId, 'web', 'GET / 200');
  await waitFor(() => expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0));
  const at = deck.clock.now() + 1;
  await waitFor(() => expect(deck.clock.now()).toBeGreaterThan(at));
  foreign.append(deploymentId, 'web', 'ERROR no route');
  const record: ProofRecord = {
    deploymentId,
    name: 'bazaar',
    at,
    changedFrom: 0,
    requestedAt: at,
    files: [{ service: 'web', path: file.path }],
    verdict: 'worse',
    isJudged: true,
    isUndone: false,
  };
  await kept.proofs.write(record);
  const figures = {
    crashes: 1,
    service: undefined,
    hasSeveralServices: false,
    errorsPerMinute: 0,
    freshErrors: 0,
    usual: undefined,
  };
  const judgement = { verdict: 'worse', figures } as const;
  deck.proofs.state.setState(
    new Map([[deploymentId, { kind: 'judged', judgement, record }]]),
    true,
  );
  return { open, at };
}

function momentOf({ deck }: OpenDeck): number | undefined {
  const comparison = deck.opened.getState().tail?.comparison.state.getState();
  return comparison?.kind === 'done' || comparison?.kind === 'reading'
    ? comparison.after.from
    : undefined;
}

test('B in any pane compares the run that is worse with what was before its restart', async () => {
  const { open, at } = await openWorse();
  await using _ = open;
  const { deck } = open;
  press(deck, '1', 'B');
  await waitFor(() => expect(momentOf(open)).toBe(at));
  expect(deck.screen.getState().main).toEqual({ kind: 'patterns', isCompared: true });
});

test('the box of u offers the comparison beside the restore', async () => {
  const { open, at } = await openWorse();
  await using _ = open;
  const { deck, foreign } = open;
  const writes = foreign.writes().length;
  await openUndo(deck);
  press(deck, 'enter');
  await boxOf(deck, 'undo restart of bazaar?');
  press(deck, 'tab', 'enter');
  await waitFor(() => expect(momentOf(open)).toBe(at));
  expect(foreign.writes()).toHaveLength(writes);
});
