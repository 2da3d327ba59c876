import { expect, test } from 'vitest';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { shownCommands } from '../../../source/view/command/registry.ts';
import { footerLine } from '../../../source/view/shell/footer.ts';
import { footerReach } from '../../../source/view/shell/footer-reach.ts';
import { spansText } from '../../../source/view/text/fit.ts';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';

const footer = (deck: Deck, width: number) => {
  const commands = shownCommands(registeredCommands, 'deployments', deck);
  return spansText(footerLine(commands, 'deployments', width, footerReach(deck)));
};

test('without an answer of the service, the footer retries first and names no key that writes', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  expect(footerReach(deck)).toBe('online');
  await foreign.away();
  deck.refresh.now();
  await waitFor(() => expect(footerReach(deck)).toBe('offline'));
  expect(footer(deck, 80)).toBe(
    'F5 retry  Enter logs  a create  d details  / filter  : command  q quit  ? help',
  );
  expect(footer(deck, 200)).not.toMatch(/close|restart/);
});
