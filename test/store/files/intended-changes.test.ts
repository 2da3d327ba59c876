import { expect, it } from 'vitest';
import type { FilesClient } from '../../../source/client/files.ts';
import type { Result } from '../../../source/client/http/errors.ts';
import { createDrafts } from '../../../source/store/drafts/drafts.ts';
import {
  createFileOperations,
  type FileOperations,
} from '../../../source/store/files/operations.ts';
import { resolveIntents } from '../../../source/store/restarts/resolve-intents.ts';
import { openLocalState } from '../../support/local-state.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createFixture } from '../restarts/restarts-fixture.ts';
import { done, failure } from '../requests.ts';

const web = { deploymentId: 'shop', service: 'web' };

/** Outcomes of a write; a lost one has no answer before the program is killed. */
const outcomes = ['done', 'refused', 'lost before it is done', 'lost after it is done'] as const;
type Outcome = (typeof outcomes)[number];

/** Returns the client of a service with these files. */
function clientOf(
  stored: Map<string, string>,
  outcome: Outcome,
  requested: () => void,
): FilesClient {
  const write = async (change: () => void): Promise<Result<void>> => {
    if (outcome === 'done' || outcome === 'lost after it is done') change();
    requested();
    if (outcome === 'done') return done;
    if (outcome === 'refused') return failure('service-error', { status: 503 });
    return await new Promise(() => {});
  };
  return {
    list: async () => ({
      ok: true,
      value: [...stored.keys()].map((path) => ({ value: { path }, unknown: {} })),
    }),
    async get(_id, _service, path) {
      const text = stored.get(path);
      if (text === undefined) return failure('not-found', { status: 404 });
      return { ok: true, value: { path, text, bytes: Buffer.from(text), certainty: 'certain' } };
    },
    save: () => Promise.reject(new Error('unexpected')),
    update: (_id, _service, path, text) => write(() => stored.set(path, text)),
    rename: (_id, _service, from, to) =>
      write(() => {
        stored.set(to, stored.get(from) ?? '');
        stored.delete(from);
      }),
    delete: (_id, _service, path) => write(() => stored.delete(path)),
    upload: () => Promise.reject(new Error('unexpected')),
  };
}

/** Returns the journal and the service after an operation, or as they are before its answer. */
async function run(operate: (operations: FileOperations) => Promise<unknown>, outcome: Outcome) {
  const stored = new Map([['a', 'text']]);
  const requested = Promise.withResolvers<void>();
  const client = clientOf(stored, outcome, requested.resolve);
  const { restarts, journal, clock } = createFixture();
  const { drafts: keeper, trash } = openLocalState(temporaryFolder(), 'http://here');
  const operations = createFileOperations({
    client,
    trash,
    clock,
    drafts: {
      ...createDrafts({ keeper, clock }),
      discard: async () => ({ names: [], failure: undefined }),
    },
    writes: restarts,
  });
  const operated = operate(operations);
  await (outcome.startsWith('lost') ? requested.promise : operated);
  restarts.stop();
  return { left: journal.at(-1) ?? [], client, operations, trash };
}

const operations: Readonly<Record<string, (all: FileOperations) => Promise<unknown>>> = {
  deletion: (all) => all.delete(web, ['a']),
  move: (all) => all.move({ ...web, path: 'a' }, 'b'),
  copy: (all) => all.copy({ ...web, path: 'a' }, 'b'),
};

it.each(
  Object.keys(operations).flatMap((name) => outcomes.map((outcome) => [name, outcome] as const)),
)('a %s that is %s leaves a restart exactly if it happened', async (name, outcome) => {
  const operate = operations[name];
  if (operate === undefined) throw new Error(name);
  const { left, client, operations: later, trash } = await run(operate, outcome);
  const { restarts, of } = createFixture({ owed: left });
  const moves: Promise<void>[] = [];
  const sentences = await resolveIntents(restarts, client, (...moved) => {
    moves.push(later.foundMoved(...moved));
  });
  await Promise.all(moves);
  const hasHappened = outcome === 'done' || outcome === 'lost after it is done';
  const changed = { service: 'web', path: name === 'deletion' ? 'a' : 'b' };
  expect(of('shop')?.changes?.files).toEqual(hasHappened ? [changed] : undefined);
  expect(sentences).toHaveLength(outcome.startsWith('lost') ? 1 : 0);
  expect(restarts.leftIntents()).toEqual([]);
  const moved = (await trash.batches()).flat().filter(({ reason }) => reason === 'moved');
  const canUndo = hasHappened && name === 'move';
  expect(moved).toMatchObject(canUndo ? [{ path: 'a', movedTo: 'b' }] : []);
});

it('a move that its own run has added to what can be undone is not added again', async () => {
  const { operations: later, trash } = await run(
    (all) => all.move({ ...web, path: 'a' }, 'b'),
    'done',
  );
  const [[move] = []] = await trash.batches();
  await later.foundMoved({ ...web, path: 'a' }, 'b', (move?.at ?? 0) - 1);
  expect(await trash.batches()).toHaveLength(1);
});
