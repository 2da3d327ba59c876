import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import { listedPatterns } from '../../../../source/view/log/patterns/pattern-cursor.ts';
import { PatternsPane } from '../../../../source/view/log/patterns/patterns-pane.tsx';
import { DeckContext } from '../../../../source/view/parts/context.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { openDeck } from '../../open-deck.ts';
import { press } from '../../press-keys.ts';

function draw(deck: Deck): string {
  const drawn = render(
    <DeckContext value={deck}>
      <PatternsPane area={{ width: 80, height: 10, focused: true }} />
    </DeckContext>,
  );
  const frame = drawn.lastFrame() ?? '';
  drawn.unmount();
  return frame;
}

test('the pane of patterns has a row for each with its number of lines', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  for (const text of ['paid 7', 'paid 8']) foreign.append(foreign.sample, 'web', text);
  press(deck, '4');
  await waitFor(() => {
    expect(listedPatterns(deck).map(({ template }) => template)).toContain('paid <#>');
  });
  press(deck, '%');
  expect(draw(deck)).toMatch(/^[> ] +2 .* paid <#>$/m);
});
