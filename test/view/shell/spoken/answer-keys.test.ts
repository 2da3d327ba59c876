import { expect, test } from 'vitest';
import { confirmBox } from '../../../../source/store/prompts/confirm.ts';
import { boxAnswersAfter } from '../../../../source/store/deck/screen/overlay.ts';
import { answerKeys } from '../../../../source/view/shell/spoken/answer-keys.ts';
import { openDeck } from '../../open-deck.ts';
import { boxOf, press } from '../../press-keys.ts';

const digit = (name: string) => ({ name, text: name });

test('a digit selects the answer of a question and gives it, once it could be heard', async () => {
  await using open = await openDeck();
  const { deck } = open;
  let answered: number | undefined;
  const question = {
    title: 'which?',
    lines: [],
    options: [{ label: 'Cancel' }, { label: 'One' }, { label: 'Two' }] as const,
    escape: 'cancel',
    answer: (option: number) => {
      answered = option;
    },
  };
  deck.screen.overlay.open(confirmBox(question));
  deck.screen.overlay.setShownAt(deck.clock.now() + boxAnswersAfter);
  expect(answerKeys(deck, digit('3'))).toEqual([]);
  await boxOf(deck, 'which?');
  expect(answerKeys(deck, digit('4'))).toEqual([]);
  expect(answered).toBeUndefined();
  const keys = answerKeys(deck, digit('3')) ?? [];
  expect(keys).toEqual(['enter']);
  press(deck, ...keys);
  expect(answered).toBe(2);
});

test('a digit is a key in panes, and text in fields and before a typed name', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1');
  expect(answerKeys(deck, digit('2'))).toBeUndefined();
  press(deck, '/');
  expect(answerKeys(deck, digit('2'))).toBeUndefined();
  press(deck, 'enter', 'X');
  await boxOf(deck, 'close bazaar');
  expect(answerKeys(deck, digit('2'))).toBeUndefined();
});

test('a digit chooses the item of a menu', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '2', 's');
  expect(answerKeys(deck, digit('9'))).toEqual([]);
  expect(deck.screen.getState().overlay?.kind).toBe('menu');
  expect(answerKeys(deck, digit('2'))).toEqual([]);
  expect(deck.screen.getState().overlay).toBeUndefined();
  expect(deck.files.state.getState().place?.service).toBe('worker');
});
