import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Heard, HeardBox } from '../../../../source/view/shell/spoken/heard.ts';
import {
  lateness,
  nothingSaid,
  type Said,
  sayChanges,
  whereLines,
} from '../../../../source/view/shell/spoken/say-changes.ts';

const quiet: Heard = {
  at: 0,
  place: { id: 'deployments', text: '1 Deployments 2' },
  row: { id: 'a', text: 'shop, active, 1 of 2', state: 'active' },
  page: undefined,
  box: undefined,
  facts: [],
  messages: [],
};

/** Returns a moment that differs from the quiet one. */
const withPart = (part: Partial<Heard>): Heard => ({ ...quiet, ...part });

/** Returns the lines that are said from one moment to the next. */
function lines(...moments: readonly Heard[]): readonly (readonly string[])[] {
  let said: Said = nothingSaid;
  return moments.map((moment) => {
    const saying = sayChanges(said, moment);
    ({ said } = saying);
    return saying.lines;
  });
}

const question: HeardBox = {
  id: 'question 1',
  intro: ['close shop?', 'Press 1 to 2. Esc: cancel.'],
  answers: ['Cancel', 'Close'],
  row: { id: 'answer 0', text: 'Cancel' },
};

const palette: HeardBox = {
  id: 'palette',
  intro: ['command'],
  row: { id: 'open', text: 'open' },
  field: { label: 'Command: ', text: '', caret: 0 },
};

describe('a row', () => {
  test('is said when the cursor moves to it, and when its state changes', () => {
    const other = { ...quiet, row: { id: 'b', text: 'pay, failed, 2 of 2', state: 'failed' } };
    const active = { ...quiet, row: { id: 'b', text: 'pay, active, 2 of 2', state: 'active' } };
    const older = {
      ...quiet,
      row: { id: 'b', text: 'pay, active, age 9s, 2 of 2', state: 'active' },
    };
    expect(lines(quiet, other, active, older)).toEqual([
      ['1 Deployments 2', 'shop, active, 1 of 2'],
      ['pay, failed, 2 of 2'],
      ['pay, active, 2 of 2'],
      [],
    ]);
  });
});

describe('a text', () => {
  const page = (first: number, ...texts: string[]): Heard => ({
    ...quiet,
    place: { id: 'view', text: '4 View app.yaml' },
    row: undefined,
    page: { id: 'file app.yaml', first, lines: texts },
  });

  test('is read page by page: only lines that come into sight are said', () => {
    expect(
      lines(page(0, 'a', 'b'), page(1, 'b', 'c'), page(3, 'd', 'e'), page(2, 'c', 'd')),
    ).toEqual([['4 View app.yaml', 'a', 'b'], ['c'], ['d', 'e'], ['c']]);
  });

  test('says the row that a step goes to, not the lines that it brings in', () => {
    const match = { ...page(8, 'i', 'j'), row: { id: 'match 9', text: 'line 10: j, 1 of 2' } };
    expect(lines(page(0, 'a', 'b'), match)[1]).toEqual(['line 10: j, 1 of 2']);
  });
});

describe('a box', () => {
  test('is a question with numbered answers; its end says where the person is', () => {
    const box = { ...quiet, box: question };
    const moved = { ...quiet, box: { ...question, row: { id: 'answer 1', text: 'Close' } } };
    expect(lines(quiet, box, moved, quiet).slice(1)).toEqual([
      ['close shop?', 'Press 1 to 2. Esc: cancel.', '1 Cancel', '2 Close'],
      ['Close'],
      ['1 Deployments 2', 'shop, active, 1 of 2'],
    ]);
  });

  test('keeps what changes behind it until it closes', () => {
    const behind = { ...quiet, row: { id: 'b', text: 'pay, failed, 2 of 2' } };
    expect(lines(quiet, { ...behind, box: question }, behind)[2]).toEqual(['pay, failed, 2 of 2']);
  });

  test('says its row for a key that moves, not for each character that is typed', () => {
    const typed = {
      ...palette,
      row: { id: 'close', text: 'close shop' },
      field: { label: 'Command: ', text: 'c', caret: 1 },
    };
    const moved = { ...typed, row: { id: 'copy', text: 'copy' } };
    const boxes = [palette, typed, moved].map((box) => withPart({ box }));
    expect(lines(quiet, ...boxes).slice(1)).toEqual([['command', 'open'], [], ['copy']]);
  });
});

describe('a fact', () => {
  const away = { key: 'reach', value: 'away', text: 'OFFLINE.', ended: 'It answers again.' };

  test('is said when it begins, changes and ends', () => {
    const slow = { ...away, value: 'slow', text: 'Slow.' };
    const moments = [[], [away], [{ ...away, text: 'OFFLINE 0:05.' }], [slow], []];
    expect(lines(...moments.map((facts) => withPart({ facts }))).slice(1)).toEqual([
      ['OFFLINE.'],
      [],
      ['Slow.'],
      ['It answers again.'],
    ]);
  });

  test('that is late is said a moment later, unless it has ended or a message tells it', () => {
    const late = { key: 'restart', value: 'counting', text: 'shop restarts in 5s.', isLate: true };
    const at = (time: number, ...facts: Heard['facts']) => ({ ...quiet, at: time, facts });
    const told = { ...late, text: '' };
    expect(lines(quiet, at(1, late), at(lateness, late), at(lateness + 1, late))).toMatchObject([
      {},
      [],
      [],
      ['shop restarts in 5s.'],
    ]);
    expect(lines(quiet, at(1, late), at(2), at(9999)).slice(1)).toEqual([[], [], []]);
    expect(lines(quiet, at(1, late), at(2, told), at(9999, told)).slice(1)).toEqual([[], [], []]);
  });

  test('that the person changes is said when that is over', () => {
    const filter = { key: 'filter', value: 'a', text: 'Filter a.', ended: 'No filter.' };
    const typing = { ...filter, value: 'ab', text: 'Filter ab.', isHeld: true };
    const moments = [[filter], [typing], [{ ...typing, isHeld: false }], []];
    expect(lines(...moments.map((facts) => withPart({ facts }))).slice(1)).toEqual([
      [],
      ['Filter ab.'],
      ['No filter.'],
    ]);
  });
});

test('the end of a fact of a pane is not said where another pane has the keys', () => {
  const filter = {
    key: 'filter',
    value: 'a',
    text: 'Filter a.',
    ended: 'No filter.',
    isHere: true,
  };
  const there = { id: 'files', text: 'Files' };
  const reach = { key: 'reach', value: 'away', text: 'OFFLINE.', ended: 'It answers again.' };
  const moments = [
    withPart({ facts: [filter, reach] }),
    withPart({ facts: [reach], place: there }),
    withPart({ facts: [filter], place: quiet.place }),
    withPart({ facts: [] }),
  ];
  expect(lines(...moments).slice(1)).toEqual([
    expect.not.arrayContaining(['No filter.']),
    expect.arrayContaining(['Filter a.', 'It answers again.']),
    ['No filter.'],
  ]);
});

test('each message is said once, and again when it is repeated', () => {
  const first = { id: 1, times: 1, text: 'q again quits.' };
  const moments = [
    [first],
    [first],
    [{ ...first, times: 2 }],
    [{ id: 2, times: 1, text: 'Saved.' }],
  ];
  expect(lines(...moments.map((messages) => withPart({ messages }))).slice(1)).toEqual([
    [],
    ['q again quits.'],
    ['Saved.'],
  ]);
});

const word = fc.constantFrom('a', 'b', 'c');
const row = fc.option(fc.record({ id: word, text: word, state: word }), { nil: undefined });
const moment: fc.Arbitrary<Heard> = fc.record({
  at: fc.nat(5000),
  place: fc.record({ id: word, text: word }),
  row,
  page: fc.option(
    fc.record({ id: word, first: fc.nat(5), lines: fc.array(word, { maxLength: 4 }) }),
    { nil: undefined },
  ),
  box: fc.option(
    fc.record({
      id: word,
      intro: fc.array(word, { maxLength: 2 }),
      answers: fc.option(fc.array(word, { maxLength: 3 }), { nil: undefined }),
      row,
      field: fc.option(fc.record({ label: word, text: word, caret: fc.constant(0) }), {
        nil: undefined,
      }),
    }),
    { nil: undefined },
  ),
  facts: fc.uniqueArray(
    fc.record({ key: word, value: word, text: word, isLate: fc.boolean(), isHeld: fc.boolean() }),
    { selector: ({ key }) => key, maxLength: 3 },
  ),
  messages: fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 9 }), times: fc.constant(1), text: word }),
    { selector: ({ id }) => id, maxLength: 3 },
  ),
});

const moments = fc.array(
  moment.map((one) => ({ ...one, messages: one.messages.toSorted((a, b) => a.id - b.id) })),
  { minLength: 1, maxLength: 8 },
);

test('nothing is said twice: the same moment again says nothing', () => {
  fc.assert(
    fc.property(moments, (all) => {
      const twice = all.flatMap((one) => [one, one]);
      const said = lines(...twice);
      expect(said.filter((_, index) => index % 2 === 1).flat()).toEqual([]);
    }),
  );
});

test('time alone says nothing, but facts that waited for it', () => {
  fc.assert(
    fc.property(moments, fc.nat(100_000), (all, later) => {
      const last = all.at(-1) ?? quiet;
      const said = lines(...all, { ...last, at: last.at + later }).at(-1) ?? [];
      const late = new Set(last.facts.filter(({ isLate }) => isLate).map(({ text }) => text));
      expect(said.filter((line) => !late.has(line))).toEqual([]);
    }),
  );
});

test('a person who comes to another place hears that place and its row', () => {
  fc.assert(
    fc.property(moments, moment, (all, here) => {
      const elsewhere = { ...here, place: { id: 'elsewhere', text: 'Elsewhere' }, box: undefined };
      const said = lines(...all, elsewhere).at(-1) ?? [];
      expect(said.slice(0, whereLines(elsewhere).length)).toEqual(whereLines(elsewhere));
    }),
  );
});
