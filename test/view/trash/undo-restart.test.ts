import { expect, test } from 'vitest';
import { createProofRecords } from '../../../source/disk/proof-records.ts';
import type { LocalStorage } from '../../../source/store/deck/handles.ts';
import type { ProofRecord } from '../../../source/store/proof/proof-record.ts';
import { boxText } from '../../support/box-text.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, openUndo, press, said } from '../press-keys.ts';

const json = '{"content":"not an envelope","beta":true}\n';
const page = '<!doctype html><title>bazaar</title>\n';

function keptWithRecords(): LocalStorage & Required<Pick<LocalStorage, 'proofs'>> {
  return { ...temporaryKept(), proofs: createProofRecords(temporaryFolder(), 'service') };
}

const stored = ({ foreign }: OpenDeck, path: string) =>
  foreign.stored(foreign.sample, 'web', path)?.toString();

/**
 * Opens a console after another one was closed, which had replaced a file twice, deleted one and created
 * one, and had found the run after their restart worse.
 */
async function openAfterWorse() {
  const kept = keptWithRecords();
  const open = await openDeck({}, undefined, { kept, restartDelay: 'off' });
  const { deck, foreign } = open;
  const { operations } = await deck.files.work();
  const web = { deploymentId: foreign.sample, service: 'web' };
  const at = (path: string) => ({ ...web, path });
  const replace = { replace: true };
  const changedFrom = deck.clock.now();
  await operations.copy(at('README.md'), 'config/flags.json', replace);
  await operations.copy(at('index.html'), 'config/flags.json', replace);
  await operations.copy(at('index.html'), 'new.html');
  await operations.delete(web, ['config/app.yaml']);
  const paths = ['config/flags.json', 'new.html', 'config/app.yaml'];
  const requestedAt = deck.clock.now();
  const record: ProofRecord = {
    deploymentId: foreign.sample,
    name: 'bazaar',
    at: requestedAt,
    changedFrom,
    requestedAt,
    files: paths.map((path) => ({ service: 'web', path })),
    verdict: 'worse',
    isJudged: true,
    isUndone: false,
  };
  await kept.proofs.write(record);
  goToFile(deck, 'index.html');
  return { open, kept, record };
}

test('u offers the restart that is worse first, and restores all of its files', async () => {
  const { open, kept, record } = await openAfterWorse();
  await using _ = open;
  const { deck, foreign } = open;
  expect((await openUndo(deck))[0]).toBe(
    'Restart, worse (2 files) | bazaar: web/config/app.yaml, web/config/flags.json',
  );
  press(deck, 'enter');
  const question = await boxOf(deck, 'undo restart of bazaar?');
  const text = boxText(question);
  expect(text).toContain('web/config/app.yaml: is created again');
  expect(text).toContain('web/config/flags.json: +1 -1');
  expect(text).toContain(`  1 + ${json.trimEnd()}`);
  expect(text).toContain('Without an earlier version, these stay:');
  expect(text).toContain('web/new.html');
  press(deck, 'tab', 'tab', 'enter');
  await waitFor(() => expect(foreign.writes().at(-1)?.path).toMatch(/\/restart$/));
  expect(stored(open, 'config/flags.json')).toBe(json);
  expect(stored(open, 'config/app.yaml')).toBe('server:\n  port: 8080\n');
  expect(stored(open, 'new.html')).toBe(page);
  expect(await kept.proofs.read(record.deploymentId)).toMatchObject([{ isUndone: true }]);
  await waitFor(() => expect(deck.restarts.state.getState().size).toBe(0));
  expect((await openUndo(deck))[0]).not.toContain('Restart');
});

test('a file that somebody has changed since is asked about, as in a save', async () => {
  const { open, kept, record } = await openAfterWorse();
  await using _ = open;
  const { deck, foreign } = open;
  foreign.put(foreign.sample, 'web', 'config/flags.json', 'theirs');
  await openUndo(deck);
  press(deck, 'enter');
  const question = await boxOf(deck, 'undo restart of bazaar?');
  expect(boxText(question)).toContain('web/config/flags.json: +1 -1, changed by others since');
  press(deck, 'tab', 'tab', 'enter');
  await boxOf(deck, 'replace flags.json?');
  press(deck, 'enter');
  await said(deck, 'changed since');
  expect(stored(open, 'config/flags.json')).toBe('theirs');
  expect(stored(open, 'config/app.yaml')).toBe('server:\n  port: 8080\n');
  expect(foreign.writes().some(({ path }) => path.endsWith('/restart'))).toBe(false);
  expect(await kept.proofs.read(record.deploymentId)).toMatchObject([{ isUndone: false }]);
});

test('Cancel restores nothing, and other changes are still offered', async () => {
  const { open } = await openAfterWorse();
  await using _ = open;
  const { deck, foreign } = open;
  const writes = foreign.writes().length;
  const rows = await openUndo(deck);
  expect(rows[1]).toContain('Deleted app.yaml');
  press(deck, 'enter');
  await boxOf(deck, 'undo restart of bazaar?');
  press(deck, 'enter');
  expect(deck.screen.getState().overlay).toBeUndefined();
  expect(foreign.writes()).toHaveLength(writes);
});
