import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  listedGrantees,
  enterForm,
  moveListRow,
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

const now = Date.parse('2026-11-21T01:04:00Z');
const dana = { name: 'Dana', address: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c' };
const daniel = { name: 'Daniel', address: 'cosmos1daniel' };
const facts: GrantFormContext = { known: [dana, daniel], caller: 'cosmos1me', now };

function typeIn(form: GrantForm, text: string): GrantForm {
  if (!isField(form.stop)) return form;
  const line = form.lines[form.stop];
  const typed = line.text + text;
  return setGrantLine(form, form.stop, { text: typed, caret: typed.length }, facts);
}

function enter(form: GrantForm): GrantForm {
  const entered = enterForm(form, facts);
  return entered.kind === 'continues' ? entered.form : form;
}

function filled(to = 'Dana', limit = '50', until = '30d'): GrantForm {
  let form = newGrantForm();
  for (const text of [to, limit, until]) form = enter(typeIn(form, text));
  return form;
}

test('a name, an amount and a span, each with Enter, then Tab and Enter grant', () => {
  const form = filled();
  expect(form.stop).toBe('back');
  expect(enterForm(form, facts)).toEqual({ kind: 'leaves' });
  expect(enterForm(moveToStop(form, 1, facts), facts)).toEqual({
    kind: 'grants',
    order: {
      grantee: dana,
      isNew: false,
      digits: '50',
      until: now + 30 * 24 * 60 * 60 * 1000,
      endOfDay: false,
    },
  });
});

test.each([
  ['', '50', '30d', 'to'],
  ['Dana', '0', '30d', 'limit'],
  ['Dana', '50', 'soon', 'until'],
  ['cosmos1me', '50', '30d', 'to'],
  ['Dana', '', '', 'limit'],
])('with %j, %j, %j Grant moves to the invalid field', (to, limit, until, field) => {
  const form = moveToStop(filled(to, limit, until), 1, facts);
  expect(form.stop).toBe('grant');
  expect(enterForm(form, facts)).toMatchObject({
    kind: 'continues',
    form: { stop: field, lines: form.lines, left: expect.arrayContaining(['limit', 'until']) },
  });
});

test('typing filters the list, arrows move, and Enter chooses the row', () => {
  const typed = typeIn(newGrantForm(), 'dan');
  expect(listedGrantees(typed, facts).map(({ address }) => address)).toEqual([
    dana.address,
    daniel.address,
    'dan',
  ]);
  const form = enter(moveListRow(typed, 1, listedGrantees(typed, facts)));
  expect(form.picked).toBe(daniel);
  expect(form.lines.to.text).toBe('Daniel');
  expect(form.stop).toBe('limit');
});

test('a typed text can be chosen as an address', () => {
  const typed = typeIn(newGrantForm(), 'dan');
  const form = enter(moveListRow(typed, 9, listedGrantees(typed, facts)));
  expect(parseGrantForm(form, facts).to).toEqual({
    ok: true,
    grantee: { address: 'dan' },
    isNew: true,
  });
});

test('a new row in the open list does not change the chosen one', () => {
  const more = { ...facts, known: [{ address: 'danger' }, dana, daniel] };
  const typed = typeIn(newGrantForm(), 'dan');
  for (const [form, meant] of [
    [typed, dana],
    [moveListRow(typed, 1, listedGrantees(typed, facts)), daniel],
  ] as const) {
    expect(listedGrantees(form, more)[0]?.address).toBe('danger');
    expect(moveToStop(form, 1, more).picked).toBe(meant);
  }
  // A row that is gone is not chosen either, nor is another one in its place.
  const fewer = { ...facts, known: [daniel] };
  expect(moveToStop(typed, 1, fewer).picked).toBeUndefined();
});

test('Enter in an empty field chooses nobody', () => {
  expect(enter(newGrantForm()).picked).toBeUndefined();
});

test('a chosen grantee stays until another text is typed, even if the name moves', () => {
  const form = filled();
  const others = { ...facts, known: [{ name: 'Dana', address: 'cosmos1other' }] };
  expect(parseGrantForm(form, others).to).toMatchObject({ ok: true, grantee: dana });
  const back = moveToStop(moveToStop(moveToStop(form, -1, facts), -1, facts), -1, facts);
  expect(back.stop).toBe('to');
  expect(parseGrantForm(typeIn(back, 'x'), facts).to).toMatchObject({
    grantee: { address: 'Danax' },
  });
  expect(typeIn(back, '').picked).toBe(dana);
});

test('a rejected form keeps its texts and opens on its safe button', () => {
  const form = { ...moveToStop(filled(), 1, facts), shownAt: 5 };
  expect(reopenGrantForm(form, 'Refused.')).toEqual({
    ...form,
    stop: 'back',
    refused: 'Refused.',
    shownAt: Number.POSITIVE_INFINITY,
  });
});

test('a copied form has the grantee, the limit and the length of the grant', () => {
  const grant = {
    id: 'g1',
    grantor: 'cosmos1me',
    grantee: '0xodd',
    limit: 0.1 + 0.2,
    spent: 0.3,
    created_at: '2026-01-01T00:00:00.500Z',
    expires_at: '2026-01-08T00:00:00Z',
  };
  const form = copyGrantForm(grant, 'expired', { address: '0xodd' });
  expect(Object.values(form.lines).map(({ text }) => text)).toEqual(['0xodd', '0.3', '7d']);
  const whole = moveToStop(form, -1, facts);
  expect(enterForm(whole, facts)).toMatchObject({
    kind: 'grants',
    order: { grantee: { address: '0xodd' }, digits: '0.3', until: now + 7 * 86_400_000 },
  });
});

type Step = (form: GrantForm) => GrantForm;

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom('Dana', 'dan', '50', '0', '30d', 'x', '-', '0x1').map(
    (text): Step =>
      (form) =>
        typeIn(form, text),
  ),
  fc.constantFrom(1, -1).map(
    (by): Step =>
      (form) =>
        moveToStop(form, by, facts),
  ),
  fc.constantFrom(1, -1).map(
    (by): Step =>
      (form) => {
        const choices = listedGrantees(form, facts);
        return choices.length === 0 ? form : moveListRow(form, by, choices);
      },
  ),
  fc.constant<Step>(enter),
);

test('after any keys only the Grant button grants, and only the typed values', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 20 }), (pressed) => {
      const form = pressed.reduce((state, step) => step(state), newGrantForm());
      const rows = listedGrantees(form, facts).map(({ address }) => address);
      expect([undefined, ...rows]).toContain(form.row);
      const entered = enterForm(form, facts);
      if (entered.kind !== 'grants') return;
      expect(form.stop).toBe('grant');
      const { to, limit, until } = parseGrantForm(form, facts);
      expect([to.ok, limit.ok, until.ok]).toEqual([true, true, true]);
      expect(entered.order.digits).toBe(limit.ok && limit.digits);
      expect(entered.order.grantee).toBe(to.ok && to.grantee);
    }),
  );
});

test('Tab and Shift-Tab move in a circle in opposite directions', () => {
  let form = filled();
  for (const _ of Array(5)) form = moveToStop(form, 1, facts);
  expect(form.stop).toBe('back');
  expect(moveToStop(moveToStop(form, 1, facts), -1, facts).stop).toBe('back');
});
