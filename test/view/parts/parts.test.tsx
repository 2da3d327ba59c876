import { Text } from 'ink';
import { expect, test, vi } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { Painter } from '../../../source/terminal/screen/painter.ts';
import type { EditedLine } from '../../../source/view/text/line-editor.ts';
import { ThemeContext, PainterContext } from '../../../source/view/parts/context.ts';
import { HelpBox } from '../../../source/view/shell/help/help-box.tsx';
import { RestartBox } from '../../../source/view/restarts/restart-box.tsx';
import { DeploymentsPane } from '../../../source/view/deployments/pane.tsx';
import { PreviewPane } from '../../../source/view/details/preview-pane.tsx';
import { FilesPane } from '../../../source/view/files/pane.tsx';
import { openServicePicker } from '../../../source/store/log/reader/services.ts';
import { LogServicesBox } from '../../../source/view/log/services-box.tsx';
import { FramedBox } from '../../../source/view/parts/box.tsx';
import { Field } from '../../../source/view/parts/field.tsx';
import { listTitle } from '../../../source/view/parts/list-title.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';
import { draw } from '../draw-part.tsx';
import { openDeck } from '../open-deck.ts';
import { waitFor } from '../../support/wait-for.ts';
import { themeOf } from '../../support/themes.ts';

test('the deployments are drawn with header, cursor and opened mark', async () => {
  await using open = await openDeck();
  const pane = draw(open.deck, <DeploymentsPane width={80} height={5} focused />);
  expect(pane.rows().slice(0, 2)).toEqual([
    '   name    state       inst rst  age cost/h services    note',
    expect.stringMatching(/^>o bazaar {2}running {8}- {3}- +\d+s {6}- web worker$/),
  ]);
  pane.unmount();
});

test('a part of the deployments says so in title and last row, where there is room', async () => {
  await using open = await openDeck({ envelope: 'named', largestList: 3 }, async (foreign) => {
    for (const name of ['a', 'b', 'c', 'd']) await createDeployment(foreign, name);
  });
  const { deck } = open;
  expect(listTitle(deck, 'deployments', ['1 Deployments'])).toBe('1 Deployments 3 of 5');
  const pane = draw(deck, <DeploymentsPane width={80} height={8} focused />);
  const sentence = ' 3 of 5 deployments are listed.';
  expect(pane.rows()[4]).toBe(sentence);
  pane.unmount();
  const low = draw(deck, <DeploymentsPane width={80} height={5} focused />);
  expect(low.rows()).not.toContain(sentence);
  low.unmount();
});

test('the preview has the definition that only single deployments have', async () => {
  await using open = await openDeck({ sdl: 'single' });
  const preview = draw(open.deck, <PreviewPane width={80} height={24} />);
  await waitFor(() =>
    expect(preview.rows()).toContainEqual(expect.stringContaining('  services:')),
  );
  preview.unmount();
});

test('the tree of files is drawn with its folders unfolded', async () => {
  await using open = await openDeck();
  const pane = draw(open.deck, <FilesPane width={38} height={6} focused={false} />);
  expect(pane.rows().slice(0, 6)).toEqual([
    '   - config/',
    '       app.yaml                     -',
    '       flags.json                   -',
    '     index.html                     -',
    '     README.md                      -',
    '',
  ]);
  pane.unmount();
});

test('boxes are framed and 64 columns wide', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const box = draw(
    deck,
    <RestartBox deployment={foreign.sample} button={0} columns={80} rows={24} />,
  );
  const rows = box
    .rows()
    .map((row) => row.trimStart())
    .filter((row) => row !== '');
  expect(rows.every((row) => row.length === 64)).toBe(true);
  expect(rows[0]).toMatch(/^┌ test: restart bazaar\? ─+┐$/);
  expect(rows.at(-2)).toMatch(/^│ \[Cancel\] {3}Restart now +│$/);
  expect(rows.at(-1)).toMatch(/^└ Tab {2}Enter {2}Esc cancel ─+┘$/);
  box.unmount();
});

test('the help of each pane is a box of 64 cells, and a sheet on a small terminal', async () => {
  await using open = await openDeck();
  for (const pane of ['deployments', 'files', 'grants', 'main'] as const) {
    const overlay = { kind: 'help', pane, text: '', caret: 0 } as const;
    const box = draw(open.deck, <HelpBox open={overlay} columns={80} rows={24} />);
    const rows = box
      .rows()
      .map((row) => row.trim())
      .filter((row) => row !== '');
    expect(rows).toHaveLength(15);
    expect(rows.every((row) => row.length === 64)).toBe(true);
    expect(rows[0]).toMatch(/^┌ Help: \w+ ─+ 1-\d+ of \d+ ┐$/);
    expect(rows[1]).toMatch(/^│ Find: {15}type to search; Enter runs the key {7}│$/);
    expect(rows[3]).toMatch(/^│ > \S/);
    expect(rows.at(-1)).toBe('└ Up/Down  Tab other panes  Enter run  Esc back ───────────────┘');
    expect(rows.join('\n')).not.toContain('…');
    box.unmount();
    const sheet = draw(open.deck, <HelpBox open={overlay} columns={40} rows={12} />);
    const all = sheet.rows();
    expect(all[1]).toMatch(/^ Help: \w+ ━+ 1-\d of \d+$/);
    expect(all[2]).toBe('Find:');
    expect(all[4]).toMatch(/^> \S/);
    expect(all[11]).toBe('Tab other panes  Enter run  Esc back');
    sheet.unmount();
  }
});

/** Renders a field in the fourth column, with or without a terminal cursor. */
function drawField(deck: Deck, line: EditedLine, width: number, painter?: Painter) {
  return draw(
    deck,
    <PainterContext value={painter}>
      <ThemeContext value={themeOf('auto', '16')}>
        <Field prompt="/" at={{ x: 3, y: 7, width }} line={line} />
        <Text>.</Text>
      </ThemeContext>
    </PainterContext>,
  );
}

test('a text field fills its columns and draws its caret without a terminal cursor', async () => {
  await using open = await openDeck();
  const field = drawField(open.deck, { text: '日本x', caret: 1 }, 10);
  expect(field.rows()[0]).toBe('/日\x1b[7m本\x1b[27mx    .');
  field.unmount();
});

test('a selected default is drawn inverse', async () => {
  await using open = await openDeck();
  const field = draw(
    open.deck,
    <ThemeContext value={themeOf('auto', '16')}>
      <Field
        prompt="as: "
        at={{ x: 0, y: 0, width: 12 }}
        line={{ text: 'a.log', caret: 5 }}
        isSelected
      />
    </ThemeContext>,
  );
  expect(field.rows()[0]).toContain('as: \x1b[7ma.log');
  field.unmount();
});

test("the terminal's cursor is the caret of a text field while it is mounted", async () => {
  await using open = await openDeck();
  const placeCursor = vi.fn<Painter['placeCursor']>();
  const painter: Painter = {
    paint: () => ({ reportChange() {}, isWritten: () => true, remove() {} }),
    placeCursor,
    setGround() {},
    afterShown() {},
  };
  const field = drawField(open.deck, { text: '日本x', caret: 1 }, 10, painter);
  expect(field.rows()[0]).toBe('/日本x    .');
  expect(placeCursor.mock.calls).toEqual([[{ x: 6, y: 7 }]]);
  field.unmount();
  expect(placeCursor.mock.lastCall).toEqual([undefined]);
});

test('the edges of a box keep their corners at any width', async () => {
  await using open = await openDeck();
  for (const columns of [60, 80]) {
    const box = draw(
      open.deck,
      <FramedBox
        title={[{ text: 'close a deployment with a name that is long?' }]}
        hints={[
          ['Space', 'page 1 of 8'],
          ['Tab', 'other panes'],
          ['Esc', 'keeps it'],
        ]}
        lines={[]}
        columns={columns}
        rows={24}
      />,
    );
    const [upper, lower] = box.rows().filter((row) => row.trim() !== '');
    expect(upper).toMatch(/^ +┌ close .*┐$/);
    expect(lower).toMatch(/^ +└ Space .*Esc keeps it.*┘$/);
    box.unmount();
  }
});

test('the selection of services is a sheet on a small terminal', async () => {
  await using open = await openDeck();
  const picker = openServicePicker([]);
  const box = draw(open.deck, <LogServicesBox open={picker} columns={40} rows={12} />);
  expect(box.rows().slice(1, 6)).toEqual([
    expect.stringMatching(/^ test: services shown ━+$/),
    'Find:',
    '>* all services',
    '   web',
    '   worker',
  ]);
  expect(box.rows()[11]).toBe('Space mark  Enter show  Esc cancel');
  box.unmount();
});
