import { expect, test } from 'vitest';
import { openMenu } from '../../../source/store/prompts/menu.ts';
import { serviceMenu } from '../../../source/view/files/open-file.ts';
import { MenuBox } from '../../../source/view/popup/menu-box.tsx';
import { draw } from '../draw-part.tsx';
import { openDeck } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';

test('the menu of services moves by arrows and opens the files of the chosen service', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const menu = draw(deck, <MenuBox open={openMenu(serviceMenu(deck))} columns={80} rows={24} />);
  await waitFor(() => expect(menu.release).toHaveBeenCalled());
  expect(menu.rows().join('\n')).toMatch(/> web .*\n.* {2}worker/);
  menu.type('\u001b[B');
  await waitFor(() => expect(menu.rows().join('\n')).toMatch(/> worker/));
  menu.type('\r');
  await waitFor(() => expect(deck.files.state.getState().place?.service).toBe('worker'));
  menu.unmount();
});

test('a menu on a small terminal is a sheet that explains the selected item only', async () => {
  await using open = await openDeck();
  const items = Array.from({ length: 12 }, (_, index) => ({
    id: String(index),
    label: `template ${index}`,
    meaning: index === 1 ? 'two services that share a volume of 10 GiB' : 'one service',
    choose() {},
  }));
  const menu = openMenu({ title: 'new', items: () => items });
  const box = draw(open.deck, <MenuBox open={menu} columns={40} rows={12} />);
  await waitFor(() => expect(box.release).toHaveBeenCalled());
  expect(box.rows().slice(1, 12)).toEqual([
    ` test: new ${'━'.repeat(29)}`,
    'Find:',
    '> template 0',
    ...[1, 2, 3, 4, 5].map((index) => `  template ${index}`),
    'one service',
    '',
    'Up/Down  Enter  Esc cancel',
  ]);
  box.type('\u001b[B');
  await waitFor(() => expect(box.rows()[4]).toBe('> template 1'));
  expect(box.rows().slice(9, 11)).toEqual(['two services that share a volume of 10', 'GiB']);
  box.unmount();
});
