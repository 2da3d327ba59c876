import { Box } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { openedTrash } from '../../../source/store/drafts/trash-list.ts';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { TrashBox } from '../../../source/view/trash/trash-box.tsx';
import { openDeck } from '../open-deck.ts';

test('the box of u has a row for each change, and the whole place of the chosen one', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const entry = (path: string) => ({
    id: path,
    deploymentId: foreign.sample,
    service: 'web',
    path,
    at: deck.clock.now(),
    reason: 'deleted' as const,
    size: 1,
  });
  const trash = openedTrash([[entry('a/newer.txt')], [entry('a/older.txt')]], false);
  const drawn = render(
    <DeckContext value={deck}>
      <Box width={80} height={24}>
        <TrashBox open={trash} columns={80} rows={24} />
      </Box>
    </DeckContext>,
  );
  const frame = drawn.lastFrame() ?? '';
  drawn.unmount();
  expect(frame).toMatch(
    /Deleted newer\.txt .*\n.*Deleted older\.txt .*\n.*bazaar\/web a\/newer\.txt /,
  );
});
