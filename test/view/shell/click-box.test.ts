import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { Overlay } from '../../../source/store/deck/screen/overlay.ts';
import { confirmBox } from '../../../source/store/prompts/confirm.ts';
import { openMenu } from '../../../source/store/prompts/menu.ts';
import { newGrantForm } from '../../../source/store/grants/form.ts';
import { openedTrash } from '../../../source/store/drafts/trash-list.ts';
import type { TrashEntry } from '../../../source/store/drafts/trash.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { click } from '../../../source/view/shell/click.ts';
import type { BoxStop } from '../../../source/view/text/line.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Clicks on a place of the open box, and returns the keys that the click stands for. */
function clickAt(deck: Deck, stop: Partial<BoxStop>, isRepeated = false): readonly string[] {
  const place = { kind: 'button', index: 0, name: '', ...stop } as const;
  return click(deck, { kind: 'box', box: '', stop: place }, registeredCommands, isRepeated);
}

const overlayOf = ({ screen }: Deck) => screen.getState().overlay;

test('a click on a button selects it, and never presses it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '1', 'r');
  for (const isRepeated of [false, true, true]) {
    expect(clickAt(deck, { index: 1 }, isRepeated)).toEqual([]);
    expect(overlayOf(deck)).toMatchObject({ kind: 'restart', button: 1 });
  }
  deck.screen.overlay.open({
    kind: 'restarts',
    deployment: foreign.sample,
    button: 0,
    shownAt: 0,
  });
  clickAt(deck, { index: 2 });
  expect(overlayOf(deck)).toMatchObject({ kind: 'restarts', button: 2 });
  clickAt(deck, { kind: 'row', name: foreign.sample });
  clickAt(deck, { kind: 'row', name: 'gone' });
  expect(overlayOf(deck)).toMatchObject({ deployment: foreign.sample });
  const answers: number[] = [];
  deck.screen.overlay.open(
    confirmBox({
      title: 'delete?',
      lines: [],
      options: [{ label: 'Cancel' }, { label: 'Delete', destroys: true }],
      escape: 'cancel',
      answer: (option) => answers.push(option),
    }),
  );
  for (const isRepeated of [false, true]) clickAt(deck, { index: 1 }, isRepeated);
  expect(overlayOf(deck)).toMatchObject({ kind: 'question', chosen: 1 });
  expect(answers).toEqual([]);
  expect(foreign.writes()).toEqual([]);
});

test('a click on a row selects it; the second one chooses where that changes nothing', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, ':');
  await waitFor(() => expect(overlayOf(deck)?.kind).toBe('palette'));
  const palette = overlayOf(deck);
  if (palette?.kind !== 'palette') throw new Error('no palette');
  const second = palette.rows('')[1];
  expect(clickAt(deck, { kind: 'row', index: 1 }, true)).toEqual([]);
  expect(overlayOf(deck)).toMatchObject({ chosen: second?.id });
  expect(clickAt(deck, { kind: 'row', index: 1 }, true)).toEqual(['enter']);

  deck.screen.overlay.openHelp();
  const name = 'app.palette';
  expect(clickAt(deck, { kind: 'row', name })).toEqual([]);
  expect(overlayOf(deck)).toMatchObject({ kind: 'help', chosen: name });
  // Over the palette, Enter would only return to it.
  expect(clickAt(deck, { kind: 'row', name }, true)).toEqual([]);
  press(deck, 'escape', 'escape', '4', 's');
  expect(clickAt(deck, { kind: 'row', index: 1 })).toEqual([]);
  expect(overlayOf(deck)).toMatchObject({ kind: 'log-services', under: 'service web' });
  expect(clickAt(deck, { kind: 'row', index: 1 }, true)).toEqual(['enter']);

  const { tail } = deck.opened.getState();
  tail?.filter.setFilters(
    ['a', 'b'].map((text) => ({ query: { text, regex: false }, isExcluding: false, isOn: true })),
  );
  deck.screen.overlay.open({ kind: 'log-filters', index: 1 });
  clickAt(deck, { kind: 'row', index: 0 });
  expect(overlayOf(deck)).toMatchObject({ index: 0 });
  expect(clickAt(deck, { kind: 'row', index: 0 }, true)).toEqual(['space']);

  const entry = (id: string): TrashEntry => ({
    id,
    deploymentId: foreign.sample,
    service: 'web',
    path: id,
    at: 0,
    reason: 'deleted',
    size: 1,
  });
  deck.screen.overlay.open(openedTrash([[entry('newer')], [entry('older')]], true));
  for (const isRepeated of [false, true]) {
    // Undoing writes, so it takes Enter.
    expect(clickAt(deck, { kind: 'row', index: 1 }, isRepeated)).toEqual([]);
    expect(overlayOf(deck)).toMatchObject({ kind: 'trash', chosen: 'older' });
  }
  expect(foreign.writes()).toEqual([]);
});

test('a click on an item of a menu stands for the arrows to it, the second one for Enter', async () => {
  await using open = await openDeck();
  const { deck } = open;
  deck.screen.overlay.open(openMenu({ title: 'service', items: () => [] }));
  const item = { kind: 'item', index: 2 } as const;
  expect(clickAt(deck, { ...item, steps: 2 })).toEqual(['down', 'down']);
  expect(clickAt(deck, { ...item, steps: -1 }, true)).toEqual(['up']);
  expect(clickAt(deck, { ...item, steps: 0 })).toEqual([]);
  expect(clickAt(deck, { ...item, steps: 0 }, true)).toEqual(['enter']);
});

test('a click in the form of a grant selects a field, a button or a grantee', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const form = (): Extract<Overlay, { kind: 'grant' }> => {
    const overlay = overlayOf(deck);
    if (overlay?.kind !== 'grant') throw new Error('no form');
    return overlay;
  };
  deck.screen.overlay.open(newGrantForm());
  expect(clickAt(deck, { kind: 'field', index: 1, name: 'limit' })).toEqual([]);
  expect(form().stop).toBe('limit');
  expect(clickAt(deck, { kind: 'button', index: 1 }, true)).toEqual([]);
  expect(form().stop).toBe('grant');
  clickAt(deck, { kind: 'field', index: 0, name: 'to' });
  clickAt(deck, { kind: 'item', name: '0x11' });
  expect(form()).toMatchObject({ stop: 'to', row: '0x11' });
  clickAt(deck, { kind: 'item', name: '0x11' }, true);
  expect(form().stop).toBe('limit');
  expect(foreign.writes()).toEqual([]);
});
