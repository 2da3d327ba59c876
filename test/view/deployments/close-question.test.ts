import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmBox } from '../../../source/store/prompts/confirm.ts';
import {
  type BatchSubject,
  closeQuestion,
  restartAllQuestion,
  confirmationWord,
} from '../../../source/view/deployments/close-question.ts';
import type { Line } from '../../../source/view/text/line.ts';
import { boxShape } from '../../../source/view/text/box-shape.ts';
import { answerRows, typedPrompt } from '../../../source/view/text/confirm-lines.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const shop = {
  id: '3f0c2a00-0000-4000-8000-000000000091-4711',
  name: 'shop-2',
  state: 'active',
  createdAt: '2026-11-18T12:00:00Z',
  services: [
    { name: 'web', state: 'active', instances: 1, running: 1 },
    { name: 'api', state: 'active', instances: 1, running: 1 },
  ],
};

function subject(more: Partial<BatchSubject> = {}): BatchSubject {
  return { deployment: shop, changes: 0, drafts: 0, isCounting: false, ...more };
}

const named = (name: string) => subject({ deployment: { ...shop, id: `${name}-id`, name } });

describe('the close box', () => {
  it('describes one deployment, warns that it cannot be reopened, and counts what remains', () => {
    expect(closeQuestion([subject({ changes: 1, drafts: 1 })], now)).toMatchObject({
      title: 'close shop-2?',
      lines: [
        'id 3f0c2a..91-4711, active, 3d old, services web api, 2 instances',
        "A closed deployment can't be reopened.",
        '1 change was never applied. 1 draft stays on this machine.',
      ],
      typed: 'shop-2',
      pausesRestarts: false,
    });
  });

  it('shows the whole id of a nameless deployment, and asks for its last four characters', () => {
    const { name: _, ...nameless } = shop;
    const question = closeQuestion([subject({ deployment: nameless })], now);
    expect(question).toMatchObject({ title: 'close 3f0c2a..91-4711?', typed: '4711' });
    expect(question.lines[0]).toContain(`id ${shop.id}, active, 3d old`);
  });

  it('lists several deployments in at most six lines, and asks for their number', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const question = closeQuestion(names.map(named), now);
    expect(question).toMatchObject({ title: 'close 9 deployments?', typed: 'close 9' });
    expect(question.lines[0]).toBe(
      "Closes 18 services, 18 instances. Closed deployments can't be reopened.",
    );
    expect(question.lines.slice(1)).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map((name) => `${name}: active, 3d old, web api`),
      'and 4 more',
    ]);
  });

  it('describes the word to type', () => {
    const { name: _, ...nameless } = shop;
    const wanted = (subjects: readonly BatchSubject[]) => {
      const question = { ...closeQuestion(subjects, now), answer() {} };
      const { prompt } = typedPrompt(question.typed ?? '', 60);
      const rows = answerRows(confirmBox(question), boxShape(80, 24), question.lines.length);
      const texts = rows.map((line) => line.map(({ text }) => text).join(''));
      return `${prompt}${texts.join('').trim()}`;
    };
    expect(wanted([subject()])).toBe('Type shop-2: [Cancel]   Close (type the name to enable)');
    expect(wanted([subject({ deployment: nameless })])).toBe(
      'Type 4711: [Cancel]   Close (type the end of the id to enable)',
    );
    expect(wanted([named('a'), named('b')])).toBe(
      'Type close 2: [Cancel]   Close (type the text to enable)',
    );
  });

  it('omits instances, age and services that the service does not report', () => {
    const bare = subject({ deployment: { id: 'x', services: [] } });
    expect(closeQuestion([bare], now).lines[0]).toBe('id x');
    expect(closeQuestion([bare, bare], now).lines[0]).toContain('Closes 2 deployments.');
    expect(closeQuestion([bare, subject()], now).lines[0]).toContain('Closes 2 deployments.');
    const uncounted = subject({ deployment: { ...shop, services: [{ name: 'web' }] } });
    expect(closeQuestion([uncounted, subject()], now).lines[0]).toContain('Closes 3 services.');
  });

  it('pauses restarts only while one of its deployments is counting', () => {
    expect(closeQuestion([subject(), subject({ isCounting: true })], now).pausesRestarts).toBe(
      true,
    );
    expect(restartAllQuestion([subject(), subject()], now).pausesRestarts).toBe(true);
  });
});

it('the box of several restarts says which services stop and which changes are applied', () => {
  const question = restartAllQuestion([subject({ changes: 2 }), subject({ drafts: 1 })], now);
  expect(question.title).toBe('restart 2 deployments?');
  expect(question.lines.at(0)).toBe(
    'Stops and starts 4 services, 4 instances, one deployment after the other.',
  );
  expect(question.lines.at(-1)).toBe('Applies 2 changes. 1 unsaved draft not included.');
  expect(question.typed).toBeUndefined();
});

it('the word to type can always be typed and is drawn unchanged, for any name and id', () => {
  const odd = fc.constantFrom(
    '\u202e',
    '\u0301',
    '\u001b',
    '\ud800',
    '\u200b',
    '\t',
    'ä',
    '界',
    '😀',
  );
  const unit = fc.oneof(fc.constantFrom('a', 'B', '7', '-', ' '), odd);
  const text = fc.oneof(fc.string({ unit, maxLength: 12 }), fc.string({ maxLength: 60 }));
  fc.assert(
    fc.property(text, fc.string({ minLength: 1, maxLength: 12 }), (name, id) => {
      const word = confirmationWord({ id, name, services: [] });
      expect(word.trim()).toBe(word);
      expect(word.length).toBeGreaterThan(0);
      expect(sanitize(word)).toBe(word);
      expect([name, id.slice(-4), 'close']).toContain(word);
    }),
  );
  expect(confirmationWord({ id: 'x-4711', name: 'läden 2', services: [] })).toBe('läden 2');
  expect(confirmationWord({ id: 'x-4711', name: 'a\u202eb', services: [] })).toBe('4711');
});

it('a long name has its prompt above the field, and the locked button wraps', () => {
  const long = 'a-name-that-is-long-enough-for-two';
  expect(typedPrompt('shop-2', 60)).toEqual({ above: [], prompt: 'Type shop-2: ' });
  const narrow = typedPrompt(long, 40);
  expect(narrow.prompt).toBe('> ');
  const textOf = (lines: readonly Line[]) =>
    lines.map((line) => line.map((part) => part.text).join(''));
  expect(textOf(narrow.above).join('')).toContain(`${long}:`);
  const question = { ...closeQuestion([subject()], now), answer() {} };
  const rows = (text: string) =>
    textOf(answerRows({ ...confirmBox(question), text }, boxShape(40, 12), 4));
  expect(rows('')).toEqual(['[Cancel]', 'Close (type the name to enable)']);
  expect(rows('shop-2')).toEqual(['[Cancel]   Close']);
});
