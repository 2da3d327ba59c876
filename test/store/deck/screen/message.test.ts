import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isMessageShown,
  messageAfter,
  type Message,
  messageLife,
  staysUntilEscape,
} from '../../../../source/store/deck/screen/message.ts';
import { createScreenStore } from '../../../../source/store/deck/screen/screen.ts';
import { escapeStep } from '../../../../source/store/deck/screen/escape.ts';
import { setScreen } from '../../../support/set-screen.ts';

test('a message counts an error that it replaced before it was read', () => {
  const error: Message = { text: 'Restart failed.', tone: 'bad', at: 1000 };
  expect(messageAfter(error, 'Saved.', 'plain', 1001)).toMatchObject({ text: 'Saved.', unread: 1 });
  expect(messageAfter(error, 'Saved.', 'plain', 1000 + messageLife)).not.toHaveProperty('unread');
  expect(messageAfter(error, error.text, 'bad', 1001)).not.toHaveProperty('unread');
});

test('a message that counts errors stays until Esc', () => {
  const message = messageAfter({ text: 'No.', tone: 'bad', at: 1 }, 'Saved.', 'plain', 2);
  expect(staysUntilEscape(message)).toBe(true);
  expect(staysUntilEscape({ text: 'Saved.', tone: 'plain', at: 2 })).toBe(false);
});

test('a message that tells what is being done is shown until that is over', () => {
  const screen = createScreenStore();
  const over = screen.message.begin('Opening a.yaml...', 0);
  const { message } = screen.getState();
  expect(message && isMessageShown(message, 10 * messageLife)).toBe(true);
  over();
  expect(screen.getState().message).toBeUndefined();
  const overLate = screen.message.begin('Opening b.yaml...', 0);
  screen.message.show('Saved.', 'good', 1);
  overLate();
  const later = screen.getState().message;
  expect(later?.text).toBe('Saved.');
  expect(later && isMessageShown(later, 1 + messageLife)).toBe(false);
});

test('Esc clears a message that counts errors', () => {
  const message = messageAfter({ text: 'No.', tone: 'bad', at: 1 }, 'Saved.', 'plain', 2);
  const screen = createScreenStore();
  setScreen(screen, { message });
  expect(escapeStep(screen.getState())).toEqual({ message: undefined });
});

test('later messages keep counting an unread error', () => {
  const said = fc.record({ tone: fc.constantFrom('plain', 'bad'), wait: fc.nat(2 * messageLife) });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 20 }), (all) => {
      let now = 0;
      let message: Message | undefined;
      let unread = 0;
      for (const [index, { tone, wait }] of all.entries()) {
        if (message?.tone === 'bad' && wait < messageLife) unread += 1;
        now += wait;
        message = messageAfter(message, `message ${index}`, tone, now);
        expect(message.unread ?? 0).toBe(unread);
      }
    }),
  );
});
