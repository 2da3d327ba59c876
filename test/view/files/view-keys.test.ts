import { expect, test } from 'vitest';
import { footerLine } from '../../../source/view/shell/footer.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { shownCommands } from '../../../source/view/command/registry.ts';
import { spansText } from '../../../source/view/text/fit.ts';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';
import { pressCopy } from '../copy-key.ts';
import { goToFile, press, promptOf } from '../press-keys.ts';

async function view(deck: Deck, path: string): Promise<void> {
  goToFile(deck, path);
  press(deck, 'enter');
  await waitFor(() => expect(deck.files.state.getState().opened?.body).toBeDefined());
}

const footer = (deck: Deck, context: 'view' | 'files' = 'view') =>
  spansText(footerLine(shownCommands(registeredCommands, context, deck), context, 120));

test('the footer of a viewed file offers to compare its draft only where it has one', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await view(deck, 'README.md');
  expect(footer(deck)).toMatch(
    /^e edit {2}\/ search {2}n\/N match {2}y copy {2}S download {2}w wrap/,
  );
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  deck.drafts.typed(place, () => ({ text: 'mine', base: '# bazaar\n' }));
  await deck.drafts.flush();
  expect(footer(deck)).toContain('y copy  D compare draft  S download');
});

test('the footer of the files says what Enter does to a folder', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'README.md');
  expect(footer(deck, 'files')).toContain('Enter view');
  deck.lists.files.moveCursorTo('config');
  const before = footer(deck, 'files');
  press(deck, 'enter');
  expect([before, footer(deck, 'files')].map((text) => /Enter \w+/.exec(text)?.[0])).toEqual(
    expect.arrayContaining(['Enter fold', 'Enter unfold']),
  );
});

test('S downloads the viewed file, whatever the cursor of the tree is on', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await view(deck, 'README.md');
  deck.lists.files.moveCursorTo('index.html');
  press(deck, 'S');
  await promptOf(deck, 'Save README.md into folder');
});

test('y copies the line of the match, else the text, and Y the text', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await view(deck, 'config/app.yaml');
  const copied: string[] = [];
  const clipboard = {
    copy(text: string) {
      copied.push(text);
      return Promise.resolve({ bytes: text.length, isSent: true, kept: { file: '' } });
    },
    hasCopied: () => true,
    print: () => Promise.resolve(),
  };
  pressCopy(deck, clipboard, 'short');
  const text = deck.files.state.getState().opened?.body?.text ?? '';
  deck.textSearch.show(text.split('\n'), 0);
  deck.textSearch.setQuery({ text: '8080', regex: false }, 0);
  deck.textSearch.step('next');
  pressCopy(deck, clipboard, 'short');
  pressCopy(deck, clipboard, 'whole');
  expect(copied).toEqual([text, '  port: 8080', text]);
});
