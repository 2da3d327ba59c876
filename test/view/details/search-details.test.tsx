import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { detailUnderCursor } from '../../../source/view/details/details.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';

test('n steps to matches in searched Details, and to other lines of the log without a search', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  for (const line of ['first', 'needle and needle', 'last']) {
    foreign.append(foreign.sample, 'web', line);
  }
  await waitFor(() => {
    const { entries } = deck.opened.getState().tail ?? {};
    const last = entries?.at(entries.length - 1);
    expect(last?.kind === 'line' && last.line.logLine).toBe('last');
  });
  const drawn = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  press(deck, '4', 'k', 'enter');
  const shown = () => {
    const { main } = deck.screen.getState();
    return main.kind === 'line' && main.entry.kind === 'line' ? main.entry.line.logLine : undefined;
  };
  await waitFor(() => expect(shown()).toBe('needle and needle'));
  press(deck, '/');
  type(deck, 'needle');
  press(deck, 'enter');
  await waitFor(() => expect(detailUnderCursor(deck)?.value).toContain('needle'));
  press(deck, 'n');
  expect(shown()).toBe('needle and needle');
  press(deck, 'escape');
  expect(deck.textSearch.state.getState().query).toBeUndefined();
  press(deck, 'n');
  await waitFor(() => expect(shown()).toBe('last'));
  press(deck, 'n');
  await said(deck, 'No newer line.');
  press(deck, '/');
  type(deck, 'last');
  press(deck, 'enter', 'q');
  expect(deck.textSearch.state.getState().query).toBeUndefined();
  drawn.unmount();
});
