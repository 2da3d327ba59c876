import { describe, expect, it } from 'vitest';
import type { Confirmation } from '../../../source/store/prompts/confirm.ts';
import type { ConflictCounts } from '../../../source/store/editor/save-state.ts';
import {
  type ConflictChoice,
  conflictQuestion,
  recreateQuestion,
} from '../../../source/view/editor/conflict.ts';
import type { EditorFile } from '../../../source/store/editor/file.ts';

const opened = new Date(2026, 10, 21, 11, 48, 7).getTime();

function subject() {
  const place = { deploymentId: 'id', service: 'web', path: 'config/app.yaml' };
  const file = { place, openedAt: opened, isNew: () => false } satisfies Partial<EditorFile>;
  // The boxes read only these properties of the file.
  return { label: 'shop', file: file as unknown as EditorFile };
}

function openConflict(counts: ConflictCounts | undefined) {
  const text = counts === undefined ? undefined : 'theirs\n';
  const modifiedAt = new Date(2026, 10, 21, 11, 51, 30).toISOString();
  const theirs = { bytes: new Uint8Array(), text, modifiedAt };
  const chosen: ConflictChoice[] = [];
  const question = conflictQuestion({ kind: 'conflict', theirs, counts }, subject(), (choice) =>
    chosen.push(choice),
  );
  return { question, choices: answers(question, chosen) };
}

/** Returns the label and the choice of each option. */
function answers(question: Confirmation, chosen: ConflictChoice[]): readonly string[][] {
  for (const index of question.options.keys()) question.answer(index);
  return question.options.map(({ label }, index) => [label, chosen[index] ?? '']);
}

const counts = {
  theirs: { added: 2, removed: 1 },
  mine: { added: 1, removed: 1 },
  theirLines: [{ number: 3, sign: '+', text: '  timeout: 5s\n' }],
  myLines: [{ number: 12, sign: '-', text: 'retries: 3' }],
} as const;

describe('conflictQuestion', () => {
  it('counts the changes and offers to merge those that do not overlap', () => {
    const { question, choices } = openConflict({ ...counts, touch: false });
    expect(question.title).toBe('app.yaml changed on the service');
    expect(question.lines).toEqual([
      'Opened 11:48, changed 11:51. Theirs +2 -1, yours +1 -1.',
      { excerpt: '  3 +   timeout: 5s', note: 'theirs' },
      { excerpt: ' 12 - retries: 3', note: 'yours' },
    ]);
    expect(question.escape).toBe('keep editing');
    expect(choices).toEqual([
      ['Keep editing', 'keep editing'],
      ['Compare', 'compare'],
      ['Merge', 'merge'],
      ['Overwrite', 'overwrite'],
      ['Use theirs', 'take theirs'],
    ]);
  });

  it('does not offer to merge overlapping changes', () => {
    const { choices } = openConflict({ ...counts, touch: true });
    expect(choices.map(([, choice]) => choice)).toEqual([
      'keep editing',
      'compare',
      'overwrite',
      'take theirs',
    ]);
  });

  it('offers no comparison when their version is not text', () => {
    const { question, choices } = openConflict(undefined);
    expect(question.lines).toEqual([
      "Opened 11:48, changed 11:51. Their version is not text and can't be merged.",
    ]);
    expect(choices).toEqual([
      ['Keep editing', 'keep editing'],
      ['Overwrite', 'overwrite'],
      ['Use theirs', 'take theirs'],
    ]);
  });
});

it('offers to create a deleted file again, and keeps editing by default', () => {
  const chosen: ConflictChoice[] = [];
  const question = recreateQuestion(subject(), (choice) => chosen.push(choice));
  expect(question.title).toBe('app.yaml was deleted on the service');
  expect(answers(question, chosen)).toEqual([
    ['Keep editing', 'keep editing'],
    ['Create again', 'create'],
  ]);
});
