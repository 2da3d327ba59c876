import { expect, test } from 'vitest';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { openDeck } from '../open-deck.ts';

test('a deployment that the list leaves out is opened with its log and files where it is named', async () => {
  let id = '';
  const settings = {
    opensUnlisted: true,
    get openAtStart() {
      return id;
    },
  };
  await using open = await openDeck(
    { envelope: 'named', largestList: 1 },
    async (foreign) => {
      await createDeployment(foreign, 'old');
      id = [...foreign.deployments.keys()].at(-1) ?? '';
    },
    settings,
  );
  const { deck } = open;
  expect(deck.deployments.list.state.getState()).toMatchObject({ unlisted: 1 });
  expect(deck.opened.getState().tail?.deploymentIds).toEqual([id]);
  expect(deck.deployments.label(id)).toBe('old');
  expect(deck.files.state.getState().place).toMatchObject({ deploymentId: id });
});
