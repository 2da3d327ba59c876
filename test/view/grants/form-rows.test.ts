import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listedGrantees,
  enterForm,
  moveToStop,
  setGrantLine,
} from '../../../source/store/grants/form-steps.ts';
import {
  reopenGrantForm,
  copyGrantForm,
  type GrantForm,
  isField,
  newGrantForm,
} from '../../../source/store/grants/form.ts';
import {
  type GrantFormContext,
  parseGrantForm,
} from '../../../source/store/grants/form-reading.ts';
import { lineWidth } from '../../../source/view/text/fit.ts';
import { choiceText } from '../../../source/view/grants/choice-rows.ts';
import { type FormRow } from '../../../source/view/grants/form-row.ts';
import { grantFormRows } from '../../../source/view/grants/form-rows.ts';
import { restingField } from '../../../source/view/grants/field-rows.ts';
import type { Line } from '../../../source/view/text/line.ts';

let before: string | undefined;
beforeAll(() => {
  before = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

const dana = { name: 'Dana', address: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c' };
const other = { address: '0x5a3c1f0e9b7d24c68e1a0f3b5d7c9e2a4b6d8f01' };
const facts: GrantFormContext = {
  known: [dana, other],
  caller: undefined,
  now: Date.parse('2026-11-21T01:04:00Z'),
};

function filled(...texts: readonly string[]): GrantForm {
  let form = newGrantForm();
  for (const text of texts) {
    if (isField(form.stop))
      form = setGrantLine(form, form.stop, { text, caret: text.length }, facts);
    const entered = enterForm(form, facts);
    if (entered.kind === 'continues') form = entered.form;
  }
  return form;
}

function rowsOf(form: GrantForm, width = 60, room = 20): readonly FormRow[] {
  return grantFormRows(form, parseGrantForm(form, facts), listedGrantees(form, facts), width, room);
}

const textOf = (line: Line): string => line.map((part) => part.text).join('');

function textsOf(form: GrantForm, width = 60, room?: number): readonly string[] {
  return rowsOf(form, width, room).map((row) => {
    switch (row.kind) {
      case 'field': {
        const text = textOf(restingField(row.field, form.lines[row.field].text));
        return `${text.padEnd(row.width)}${textOf(row.note)}`.trimEnd();
      }
      case 'choice':
        return `${row.chosen ? '>' : ' '} ${choiceText(row, width)}`;
      case 'text':
        return textOf(row.line).trimEnd();
    }
  });
}

test('a complete form shows the terms of the grant', () => {
  expect(textsOf(filled('Dana', '50', '30d'))).toEqual([
    'To      Dana',
    '        0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c',
    'Limit   50',
    'Until   30d       2026-12-21 01:04 UTC, 02:04 here',
    '',
    'Dana may spend up to 50 from your balance until then.',
    'You can revoke it earlier. It cannot be extended.',
    '',
    '[Cancel]   Grant',
  ]);
});

test('an empty form suggests known grantees with whole addresses, and shows that fields are missing', () => {
  expect(textsOf(newGrantForm())).toEqual([
    'To',
    `  Dana          ${dana.address}`,
    `  ${other.address}`,
    'Limit',
    'Until',
    '',
    '[Cancel]   Grant (fill in all fields)',
  ]);
});

test('a low form shows the suggestions next to the chosen one', () => {
  const known = Array.from({ length: 8 }, (_, index) => ({
    address: `cosmos1grantee${index}`,
    name: undefined,
  }));
  const many = { ...facts, known };
  const form = { ...newGrantForm(), row: 'cosmos1grantee4' };
  const rows = (room: number) =>
    grantFormRows(form, parseGrantForm(form, many), listedGrantees(form, many), 60, room).flatMap(
      (row) => (row.kind === 'choice' ? [row.grantee.address.at(-1)] : []),
    );
  expect(rows(20)).toEqual(['2', '3', '4', '5', '6']);
  expect(rows(8)).toEqual(['2', '3', '4', '5']);
  expect(rows(7)).toEqual(['3', '4', '5']);
  expect(rows(6)).toEqual(['3', '4']);
  expect(rows(3)).toEqual(['4']);
});

test('a field shows its error once it has lost the focus', () => {
  expect(textsOf(filled('0x99', '0,5', 'soon'))).toEqual([
    'To      0x99',
    '        40 hexadecimal digits must follow 0x, not 2.',
    'Limit   0,5',
    "        Use a point for decimals: 0.5. Don't separate",
    '        thousands.',
    'Until   soon',
    '        Try 30d, 12h, 2w, 90m, 2026-12-24 or 2026-12-24',
    '        18:00.',
    '',
    '[Cancel]   Grant (fill in all fields)',
  ]);
});

test('an address typed in full is not repeated, and a new address gets a warning', () => {
  const texts = textsOf(filled(other.address, '5', '1d'));
  expect(texts.filter((text) => text.includes(other.address))).toHaveLength(2);
  expect(textsOf(filled('akash1q', '5', '1d'))[1]).toBe(
    '        No known name; used as an address.',
  );
});

test('the suggestions include the typed text as an address', () => {
  const form = setGrantLine(newGrantForm(), 'to', { text: 'dan', caret: 3 }, facts);
  expect(textsOf(form).slice(0, 3)).toEqual([
    'To      dan',
    `> Dana          ${dana.address}`,
    '  dan (as an address)',
  ]);
});

test('a narrow list shows both ends of an address', () => {
  expect(textsOf(newGrantForm(), 34, 6).slice(0, 3)).toEqual([
    'To',
    '  Dana          0x12ab34cd..ef9f3c',
    `  ${other.address.slice(0, 24)}..${other.address.slice(-6)}`,
  ]);
});

test('the form shows a refusal and the state of the copied grant', () => {
  const grant = {
    id: 'g',
    grantor: 'me',
    grantee: dana.address,
    limit: 5,
    spent: 5,
    created_at: '2026-01-01T00:00:00Z',
    expires_at: '2026-01-31T00:00:00Z',
  };
  const texts = textsOf(
    reopenGrantForm(copyGrantForm(grant, 'limit reached', dana), 'Refused: 422.'),
  );
  expect(texts).toContain('Refused: 422.');
  expect(texts).toContain('The old grant has reached its limit. This makes a new one.');
  expect(texts).toContain('Until   30d       2026-12-21 01:04 UTC, 02:04 here');
});

test('a box of 34 cells and 6 rows shows the whole address at the Grant button', () => {
  const texts = textsOf(moveToStop(filled('Dana', '50', '30d'), 1, facts), 34, 6);
  expect(texts).toHaveLength(6);
  expect(texts.join('')).toContain(dana.address);
  expect(texts.at(-1)).toBe('Cancel   [Grant]');
  expect(texts.join(' ')).toContain('2026-12-21 01:04 UTC');
  expect(texts).toContain('Limit   50');
});

test('a low box shows sentences on money whole or not at all', () => {
  const form = moveToStop(filled('Dana', '50', '30d'), 1, facts);
  const terms = 'Dana may spend up to 50 from your balance until then.';
  for (let room = 2; room <= 16; room += 1) {
    const texts = textsOf(form, 34, room).join(' ');
    expect(texts.includes('Dana may')).toBe(texts.includes(terms));
    expect(texts.includes('You can')).toBe(texts.includes('It cannot be extended.'));
  }
  expect(textsOf(form, 34, 16).join(' ')).toContain(terms);
});

test('the focused field and the buttons are visible in a box of any size', () => {
  const texts = fc.constantFrom('', 'Dana', 'x'.repeat(90), '50', '0,5', '30d', '2026-12-24 18:00');
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 34, max: 60 }),
      fc.integer({ min: 2, max: 20 }),
      (typed, steps, width, room) => {
        let form = filled(...typed);
        for (let step = 0; step < steps; step += 1) form = moveToStop(form, 1, facts);
        const rows = rowsOf(form, width, room);
        expect(rows.length).toBeLessThanOrEqual(room);
        const last = rows.at(-1);
        expect(last?.kind === 'text' && textOf(last.line)).toContain('Cancel');
        const { stop } = form;
        const isSeen = rows.some((row) => row.kind === 'field' && row.field === stop);
        expect(isSeen).toBe(isField(stop));
        for (const row of rows) {
          if (row.kind === 'field') {
            expect(row.width + lineWidth(row.note)).toBeLessThanOrEqual(width);
          }
          if (row.kind === 'text') expect(lineWidth(row.line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});
