import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
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

test('a menu whose items go while it is open chooses one that is there', async () => {
  await using open = await openDeck();
  const chosen: string[] = [];
  const names = createStore<readonly string[]>(() => ['web', 'api']);
  const items = () =>
    names.getState().map((name) => ({ id: name, label: name, choose: () => chosen.push(name) }));
  const menu = openMenu({ title: 'service', source: names, items });
  const box = draw(open.deck, <MenuBox open={menu} columns={80} rows={24} />);
  await waitFor(() => expect(box.release).toHaveBeenCalled());
  box.type('\u001b[B');
  await waitFor(() => expect(box.rows().join('\n')).toContain('> api'));
  names.setState(['web'], true);
  await waitFor(() => expect(box.rows().join('\n')).toContain('> web'));
  expect(box.rows().join('\n')).not.toContain('api');
  box.type('\r');
  await waitFor(() => expect(chosen).toEqual(['web']));
  names.setState([], true);
  await waitFor(() => expect(box.rows().join('\n')).toContain('No match.'));
  box.type('\r');
  expect(chosen).toEqual(['web']);
  box.unmount();
});

test('control codes and line breaks of names reach no terminal', async () => {
  await using open = await openDeck();
  const label = 'a\u001b[2Jb\nc\u202ed';
  const items = () => [{ id: label, label, meaning: 'x\u0007y\r\nz', choose() {} }];
  const box = draw(
    open.deck,
    <MenuBox open={openMenu({ title: 's', items })} columns={80} rows={24} />,
  );
  await waitFor(() => expect(box.rows().join('\n')).toMatch(/> a/));
  const rows = box.rows();
  expect(rows.filter((row) => row.includes('│'))).toHaveLength(2);
  for (const hidden of ['\u001b', '\u0007', '\r', '\u202e']) {
    expect(rows.join('')).not.toContain(hidden);
  }
  box.unmount();
});
