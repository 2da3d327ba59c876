import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import {
  ThemeContext,
  DeckContext,
  PainterContext,
} from '../../../../source/view/parts/context.ts';
import { encodeRow } from '../../../../source/terminal/screen/cell-style.ts';
import type { Painter } from '../../../../source/terminal/screen/painter.ts';
import type { LogLine } from '../../../../source/contract/logs.ts';
import type { Entry } from '../../../../source/tail/arena/entries.ts';
import type { GapState } from '../../../../source/tail/arena/gap.ts';
import { LogRowCache } from '../../../../source/view/log/rows/row-cache.ts';
import { logRows } from '../../../../source/view/log/rows/rows.ts';
import { LogsPane } from '../../../../source/view/log/pane.tsx';
import {
  type ClickFrame,
  ClickMap,
  ClickMapContext,
  targetIn,
} from '../../../../source/view/parts/click-map.ts';
import { listedEntries } from '../../../support/listed-entries.ts';
import { openDeck, type OpenDeck } from '../../open-deck.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { Area, RegionRows } from '../../../../source/terminal/screen/screen-rows.ts';
import { themeOf } from '../../../support/themes.ts';

const area: Area = { left: 3, top: 2, width: 40, height: 5 };

/** Renders the log's pane with a painter, and returns the regions that it painted. */
function paintLog({ deck }: OpenDeck, isFocused = true, isWritten = true) {
  const regions: { area: Area; rows: RegionRows; changed: () => void; removed: boolean }[] = [];
  const painter: Painter = {
    paint(at, rows) {
      const region = { area: at, rows, changed: vi.fn<() => void>(), removed: false };
      regions.push(region);
      return {
        reportChange: region.changed,
        isWritten: () => isWritten,
        remove() {
          region.removed = true;
        },
      };
    },
    placeCursor() {},
    setGround() {},
    afterShown() {},
  };
  const clicks = new ClickMap();
  const drawn = render(
    <ClickMapContext value={clicks}>
      <DeckContext value={deck}>
        <PainterContext value={painter}>
          <ThemeContext value={themeOf('auto', '16', { background: 'dark' })}>
            <LogsPane area={area} focused={isFocused} />
          </ThemeContext>
        </PainterContext>
      </DeckContext>
    </ClickMapContext>,
  );
  return { regions, drawn, clicks };
}

/** Returns the rows of a region as text with colour codes. */
function texts(region: { readonly rows: RegionRows } | undefined): readonly string[] {
  return region?.rows().map(encodeRow) ?? [];
}

/** Returns the colour codes of a row, without the escape character and the final m. */
const codes = (row: string): readonly string[] =>
  row
    .split('\x1b')
    .slice(1)
    .map((part) => part.slice(0, part.indexOf('m')));

const waitForLine = async (open: OpenDeck, text: string): Promise<void> => {
  const { tail } = open.deck.opened.getState();
  await waitFor(() => {
    const { length } = tail?.log.entries ?? { length: 0 };
    const last = tail?.log.entries.at(length - 1);
    if (last?.kind !== 'line' || last.line.logLine !== text) throw new Error('not yet');
  });
};

test('the log is painted at its place in the layout, past React', async () => {
  await using open = await openDeck();
  const { regions, drawn } = paintLog(open);
  open.foreign.append(open.foreign.sample, 'web', 'listening on 8080');
  await waitForLine(open, 'listening on 8080');
  await waitFor(() => expect(regions[0]?.changed).toHaveBeenCalled());
  expect(regions).toHaveLength(1);
  expect(regions[0]?.area).toEqual(area);
  const rows = texts(regions[0]);
  expect(rows).toHaveLength(5);
  expect(rows.join('\n')).toContain('listening on 8080');
  expect(rows.join('\n')).toContain('\x1b[96m');
  expect(drawn.lastFrame()).not.toContain('listening');
  drawn.unmount();
  expect(regions.every(({ removed }) => removed)).toBe(true);
});

test('a click on a row is on its line as it was painted; a frame has the rows of its own painting', async () => {
  await using open = await openDeck();
  const { regions, drawn, clicks } = paintLog(open);
  const [id] = [open.foreign.sample];
  open.foreign.append(id, 'web', 'clicked');
  await waitForLine(open, 'clicked');
  const painted = texts(regions[0]).map(stripVTControlCharacters);
  const y = painted.findIndex((row) => row.includes('clicked'));
  const before = clicks.frame();
  expect(clicks.frame()).toBe(before);
  const { tail } = open.deck.opened.getState();
  const last = tail?.entries.at(tail.entries.length - 1);
  const target = { kind: 'log-line', log: expect.any(String), seq: last?.seq };
  expect(targetIn(before, { x: 30, y })).toEqual(target);
  expect(targetIn(before, { x: 30, y: painted.length })).toBeUndefined();
  // Until the new line is painted, its row is not on the screen.
  open.foreign.append(id, 'web', 'later');
  await waitForLine(open, 'later');
  expect(clicks.frame()).toBe(before);
  texts(regions[0]);
  expect(clicks.frame()).not.toBe(before);
  const later = tail?.entries.at(tail.entries.length - 1);
  const targets = (frame: ClickFrame) =>
    painted.map((_, row) => targetIn(frame, { x: 30, y: row }));
  expect(targets(clicks.frame())).toContainEqual({ ...target, seq: later?.seq });
  expect(targets(before)).not.toContainEqual({ ...target, seq: later?.seq });
  drawn.unmount();
  expect(clicks.frame()).toEqual([]);
});

test('rows that a slow link has written in part take no clicks', async () => {
  await using open = await openDeck();
  const { regions, drawn, clicks } = paintLog(open, true, false);
  open.foreign.append(open.foreign.sample, 'web', 'half written');
  await waitForLine(open, 'half written');
  const rows = texts(regions[0]);
  for (const y of rows.keys()) expect(targetIn(clicks.frame(), { x: 30, y })).toBeUndefined();
  expect(clicks.frame()).toBe(clicks.frame());
  drawn.unmount();
});

test('a cursor step makes a new region, a new line only reports a change', async () => {
  await using open = await openDeck();
  const { regions, drawn } = paintLog(open);
  open.foreign.append(open.foreign.sample, 'web', 'first');
  await waitForLine(open, 'first');
  const { tail } = open.deck.opened.getState();
  tail?.view.toggleFreeze();
  await waitFor(() => expect(regions).toHaveLength(2));
  expect(regions[0]?.removed).toBe(true);
  expect(texts(regions[1]).findLast((row) => row.trim() !== '')).toMatch(/>/);
  open.foreign.append(open.foreign.sample, 'web', 'second');
  await waitForLine(open, 'second');
  await waitFor(() => expect(regions[1]?.changed).toHaveBeenCalled());
  expect(regions).toHaveLength(2);
  drawn.unmount();
});

test('the row of the cursor is marked over the full width, with the sign only in the focus', async () => {
  await using open = await openDeck();
  open.foreign.append(open.foreign.sample, 'web', 'ERROR first');
  await waitForLine(open, 'ERROR first');
  open.deck.opened.getState().tail?.view.toggleFreeze();
  const cursorRow = (isFocused: boolean) => {
    const { regions, drawn } = paintLog(open, isFocused);
    const row = texts(regions[0]).find((text) => text.includes('ERROR first')) ?? '';
    drawn.unmount();
    return row;
  };
  const inverse = cursorRow(true);
  expect(stripVTControlCharacters(inverse)).toMatch(/^>.* ERROR first +$/);
  expect(new Set(codes(inverse))).toEqual(new Set(['[30', '[47', '[0']));
  expect(stripVTControlCharacters(inverse)).toHaveLength(area.width);
  const underlined = cursorRow(false);
  expect(underlined).not.toContain('>');
  expect(codes(underlined)).toEqual(expect.arrayContaining(['[4', '[91', '[96']));
});

test('the cursor stays on its row of the screen when lines begin to wrap', async () => {
  await using open = await openDeck();
  for (let line = 1; line <= 12; line += 1)
    open.foreign.append(open.foreign.sample, 'web', `line ${line}`);
  await waitForLine(open, 'line 12');
  const { view, entries } = open.deck.opened.getState().tail ?? {};
  const [first, cursor] = [-9, -7].map((at) => entries?.at(entries.length + at)?.seq ?? 0);
  view?.goTo(cursor ?? 0, { seq: first ?? 0, skipped: 0 });
  const { regions, drawn } = paintLog(open);
  const cursorRow = () =>
    texts(regions.at(-1))
      .map(stripVTControlCharacters)
      .findIndex((row) => /^>.* line 6 /.test(row));
  expect(cursorRow()).toBe(2);
  open.deck.screen.reading.toggleWrap();
  await waitFor(() => expect(regions).toHaveLength(2));
  expect(cursorRow()).toBe(2);
  drawn.unmount();
});

test('unchanged rows keep their identity', async () => {
  await using open = await openDeck();
  const { regions, drawn } = paintLog(open);
  open.foreign.append(open.foreign.sample, 'web', 'a line');
  await waitForLine(open, 'a line');
  const again = regions[0]?.rows() ?? [];
  for (const [y, row] of (regions[0]?.rows() ?? []).entries()) expect(row).toBe(again[y]);
  drawn.unmount();
});

test('without a painter, the log is text', async () => {
  await using open = await openDeck();
  const drawn = render(
    <DeckContext value={open.deck}>
      <LogsPane area={area} focused />
    </DeckContext>,
  );
  open.foreign.append(open.foreign.sample, 'web', 'listening on 8080');
  await waitFor(() => expect(drawn.lastFrame()).toContain('listening on 8080'));
  drawn.unmount();
});

test('a gap names the key that fetches it, or shows that it is being fetched', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log');
  tail.log.stop();
  const line = { id: 9, logLine: 'behind' };
  const rows = (state: GapState) => {
    const gap = {
      kind: 'gap',
      seq: 0,
      place: 0,
      after: { id: 4, logLine: '' },
      until: line,
      state,
    };
    const shown = { ...listedEntries([line]), at: () => gap as Entry<LogLine> };
    const layout = {
      width: 60,
      height: 1,
      wrap: false,
      times: 'off',
      rawJson: false,
      scrollLeft: 0,
    } as const;
    const source = logRows({
      tail: { ...tail, entries: shown },
      name: 'shop',
      layout,
      clock: deck.clock,
      serviceNow: () => 0,
      cache: new LogRowCache(layout),
      isFocused: true,
    });
    return source.rows().map((row) => row.map(({ text }) => text).join(''));
  };
  expect(rows({ kind: 'missing', why: 'unanswered' })).toEqual([
    ' -- gap: lines 5 to 8 could not be fetched. R retries --',
  ]);
  expect(rows({ kind: 'filling' })).toEqual([' -- lines 5 to 8 are being fetched... --']);
});

test('the column of services grows for instance numbers and stays wide', async () => {
  await using open = await openDeck();
  const { deck } = open;
  open.foreign.append(open.foreign.sample, 'web', 'here');
  await waitForLine(open, 'here');
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log');
  const line = (instance?: number) => ({ serviceName: 'web', logLine: 'x', instance });
  const layout = {
    width: 60,
    height: 2,
    wrap: false,
    times: 'off',
    rawJson: false,
    scrollLeft: 0,
  } as const;
  const rows = new LogRowCache(layout);
  const drawn = (...lines: readonly LogLine[]) =>
    logRows({
      tail: { ...tail, entries: listedEntries(lines) },
      name: 'shop',
      layout,
      clock: deck.clock,
      serviceNow: () => 0,
      cache: rows,
      isFocused: true,
    })
      .rows()
      .map((row) => row.map(({ text }) => text).join(''));
  const [alone = ''] = drawn(line());
  const width = alone.length;
  expect(alone.trim()).toMatch(/^web +x$/);
  const both = drawn(line(2), line(12));
  expect(both.map((row) => row.length)).toEqual([width + 3, width + 3]);
  expect(both.map((row) => row.trim().replace(/ +/g, ' '))).toEqual(['web 2 x', 'web 12 x']);
  expect(drawn(line()).map((row) => row.length)).toEqual([width + 3]);
});
