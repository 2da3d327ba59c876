import { describe, expect, it } from 'vitest';
import type { EditorFile } from '../../../source/store/editor/editor.ts';
import type { Confirmation } from '../../../source/store/prompts/confirm.ts';
import type { ConflictCounts, SaveChoice } from '../../../source/store/editor/save-state.ts';
import { conflictQuestion, createQuestion } from '../../../source/view/editor/conflict.ts';

type Choice = SaveChoice | 'show both';

const opened = new Date(2026, 10, 21, 11, 48, 7).getTime();

function names() {
  const place = { deploymentId: 'id', service: 'web', path: 'config/app.yaml' };
  const file = { place, openedAt: opened } satisfies Partial<EditorFile>;
  // Of the file no more is asked than where it is and since when.
  return { label: 'shop', file: file as unknown as EditorFile };
}

function ask(counts: ConflictCounts | undefined) {
  const text = counts === undefined ? undefined : 'theirs\n';
  const theirs = { bytes: new Uint8Array(), text, modifiedAt: undefined };
  const chosen: Choice[] = [];
  const question = conflictQuestion({ kind: 'conflict', theirs, counts }, names(), (choice) =>
    chosen.push(choice),
  );
  return { question, choices: answers(question, chosen) };
}

/** What each row of the box is called, with what it asks for. */
function answers(question: Confirmation, chosen: Choice[]): readonly string[][] {
  for (const index of question.options.keys()) question.answer(index);
  return question.options.map(({ label }, index) => [label, chosen[index] ?? '']);
}

const counts = { theirs: { added: 2, removed: 1 }, mine: { added: 1, removed: 1 } };

describe('the box of a conflict', () => {
  it('says who changed how much, and offers to merge what does not touch', () => {
    const { question, choices } = ask({ ...counts, touch: false });
    expect(question.title).toBe('app.yaml was changed by someone else');
    expect(question.lines).toEqual([
      'shop/web config/app.yaml, opened 11:48',
      'Theirs: +2 -1 lines. Yours: +1 -1. They do not touch.',
    ]);
    expect(question.escape).toBe('keeps editing');
    expect(choices).toEqual([
      ['Keep editing', 'keep editing'],
      ['Show both', 'show both'],
      ['Merge', 'merge'],
      ['Overwrite theirs', 'overwrite'],
      ['Take theirs', 'take theirs'],
    ]);
  });

  it('offers no merge of what touches', () => {
    const { question, choices } = ask({ ...counts, touch: true });
    expect(question.lines[1]).toMatch(/They touch\.$/);
    expect(choices.map(([, choice]) => choice)).toEqual([
      'keep editing',
      'show both',
      'overwrite',
      'take theirs',
    ]);
  });

  it('says that theirs is no text, and offers to leave it to them', () => {
    const { question, choices } = ask(undefined);
    expect(question.lines[1]).toBe('Theirs is no text any more. It cannot be merged.');
    expect(choices).toEqual([
      ['Keep editing', 'keep editing'],
      ['Overwrite theirs', 'overwrite'],
      ['Leave it to them', 'take theirs'],
    ]);
  });
});

it('the box of a deleted file offers to make it again, and keeps editing by itself', () => {
  const chosen: Choice[] = [];
  const question = createQuestion(names(), (choice) => chosen.push(choice));
  expect(question.title).toBe('app.yaml was deleted on the service');
  expect(answers(question, chosen)).toEqual([
    ['Keep editing', 'keep editing'],
    ['Create it again', 'create'],
  ]);
});
