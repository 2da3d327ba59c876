import { expect, test } from 'vitest';
import { createDraftsFolder } from '../../../source/disk/drafts-folder.ts';
import { createTrashFolder } from '../../../source/disk/trash-folder.ts';
import { discardDrafts } from '../../../source/store/drafts/discard.ts';
import { createDrafts } from '../../../source/store/drafts/drafts.ts';
import { createTestClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lastBatch } from '../../support/last-batch.ts';

const service = 'http://here';
const place = { deploymentId: 'd', service: 'web', path: 'config/app.yaml' };
const draft = { ...place, text: 'theirs', base: 'base', at: 5 };
/** Init runs as long as anything does. */
const running = Promise.resolve('1-unknown');
/** No process has this id. */
const gone = Promise.resolve('4194305-0123456789ab');

async function fixture() {
  const state = temporaryFolder();
  const clock = createTestClock(1000);
  const trash = createTrashFolder(state, service);
  const drafts = createDrafts({ keeper: createDraftsFolder(state, service), clock });
  return {
    drafts,
    otherConsole: (mark: Promise<string>) => createDraftsFolder(state, service, mark),
    discard: () => discardDrafts({ drafts, trash, clock }, [place]),
    trashed: async () => {
      const [entry] = await lastBatch(trash, 'd', 'web');
      const file = entry && (await trash.take(entry.id));
      return file && String(file.bytes);
    },
  };
}

test('the draft of an exited console is discarded', async () => {
  const { drafts, otherConsole, discard, trashed } = await fixture();
  await otherConsole(gone).write(draft);
  await drafts.load();
  expect(await discard()).toEqual({ names: ['app.yaml'], failure: undefined });
  expect(drafts.state.getState().drafts.size).toBe(0);
  expect(await trashed()).toBe('theirs');
});

test('the draft of another running console stays, and is not in the trash', async () => {
  const { drafts, otherConsole, discard, trashed } = await fixture();
  await otherConsole(running).write(draft);
  await drafts.load();
  expect(await discard()).toEqual({
    names: [],
    failure: 'The draft of app.yaml belongs to another running hostdeck. It was not discarded.',
  });
  expect(drafts.state.getState().drafts.size).toBe(1);
  expect(await trashed()).toBeUndefined();
});

test("this console's draft is discarded beside that of another running console", async () => {
  const { drafts, otherConsole, discard, trashed } = await fixture();
  await otherConsole(running).write(draft);
  drafts.typed(place, () => ({ text: 'mine', base: 'base' }));
  await drafts.flush();
  expect(await discard()).toEqual({ names: ['app.yaml'], failure: undefined });
  expect(await trashed()).toBe('mine');
  expect([...drafts.state.getState().drafts.values()]).toMatchObject([{ at: 5 }]);
});
