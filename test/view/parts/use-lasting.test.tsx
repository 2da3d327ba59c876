import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { useLasting } from '../../../source/view/parts/use-lasting.ts';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { createTestClock } from '../../support/clock.ts';
import { waitFor } from '../../support/wait-for.ts';

function Lasting({ value }: { readonly value: string }) {
  return <Text>{useLasting(value, 3000)}</Text>;
}

test('a value is passed on once it lasts', async () => {
  const clock = createTestClock();
  const shown = (value: string) => (
    <DeckContext value={{ clock } as unknown as Deck}>
      <Lasting value={value} />
    </DeckContext>
  );
  const { lastFrame, rerender, unmount } = render(shown('fast'));
  expect(lastFrame()).toBe('fast');
  rerender(shown('slow'));
  await waitFor(() => expect(clock.waiting()).toEqual([3000]));
  rerender(shown('fast'));
  await waitFor(() => expect(clock.waiting()).toEqual([]));
  rerender(shown('slow'));
  await waitFor(() => expect(clock.waiting()).toEqual([3000]));
  expect(lastFrame()).toBe('fast');
  await clock.advance(3000);
  await waitFor(() => expect(lastFrame()).toBe('slow'));
  unmount();
});
