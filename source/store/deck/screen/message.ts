import type { Tone } from '../../prompts/tone.ts';
import type { Slice } from './slice.ts';

export interface Message {
  readonly text: string;
  readonly tone: Tone;
  readonly at: number;
  /** Errors that this message replaced before they could be read. */
  readonly unread?: number;
}

export interface MessageState {
  readonly message: Message | undefined;
  /** When `q` was pressed at a pane, or Esc over unsaved text: a second press goes ahead. */
  readonly quitAskedAt: number | undefined;
}

/** The message row, with the question whether to quit. */
export interface MessageActions {
  /** Shows a message from `now` on. */
  show(text: string, tone: Tone, now: number): void;
  clear(): void;
  /** Clears the message when it matches. */
  clearIf(matches: (message: Message) => boolean): void;
  /** Remembers that the person was asked at `now` whether to quit or to leave. */
  askToQuit(now: number): void;
  /** Withdraws that question, and clears its text where the row still shows it. */
  withdrawQuit(question?: string): void;
}

/** Milliseconds after which a message gives way to the view's state; errors stay until Esc. */
export const messageLife = 5000;

export function messageActions({ set }: Slice<MessageState>): MessageActions {
  return {
    show(text, tone, now) {
      set(({ message }) => ({ message: following(message, text, tone, now) }));
    },
    clear() {
      set({ message: undefined });
    },
    clearIf(matches) {
      set(({ message }) =>
        message !== undefined && matches(message) ? { message: undefined } : {},
      );
    },
    askToQuit(now) {
      set({ quitAskedAt: now });
    },
    withdrawQuit(question) {
      set(({ message }) => ({
        quitAskedAt: undefined,
        message: message?.text === question ? undefined : message,
      }));
    },
  };
}

/**
 * Returns the message that replaces another at `now`. An error that could hardly be read is not
 * lost by that: the next message counts it.
 */
export function following(
  before: Message | undefined,
  text: string,
  tone: Tone,
  now: number,
): Message {
  const isUnread = before?.tone === 'bad' && now - before.at < messageLife;
  const unread = (before?.unread ?? 0) + (isUnread && before.text !== text ? 1 : 0);
  return { text, tone, at: now, ...(unread === 0 ? {} : { unread }) };
}

/** Whether only Esc clears the message: an error, or a message that counts errors. */
export function staysUntilEscape(message: Message | undefined): boolean {
  return message?.tone === 'bad' || message?.unread !== undefined;
}
