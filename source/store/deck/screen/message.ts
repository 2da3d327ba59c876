import type { Tone } from '../../prompts/tone.ts';
import type { Slice } from './slice.ts';

export interface Message {
  readonly text: string;
  readonly tone: Tone;
  readonly at: number;
  /** Errors that this message replaced before they could be read. */
  readonly unread?: number;
  /** True for a message that tells what is being done, and stays until that is over. */
  readonly isOngoing?: boolean;
}

/** A question that the same key answers, asked at a time in ms. */
interface LeaveQuestion {
  readonly text: string;
  readonly at: number;
}

export interface MessageState {
  readonly message: Message | undefined;
  /** The question whether to quit, or to leave unsaved text, that a second press confirms. */
  readonly leaveAsked: LeaveQuestion | undefined;
}

/** The message row and the pending confirmation of quitting. */
export interface MessageActions {
  /** Shows a message from `now` on. */
  show(text: string, tone: Tone, now: number): void;
  /** Shows what is being done since `now`. Returns the function that clears it, if it is still shown. */
  begin(text: string, now: number): () => void;
  clear(): void;
  /** Clears the message when it matches. */
  clearIf(matches: (message: Message) => boolean): void;
  /** Remembers that the message asks at `now` for a second press of the key. */
  askToLeave(text: string, now: number): void;
  /** Withdraws the question, and clears its message if the row still shows it. */
  withdrawLeave(): void;
}

/** Milliseconds after which a message gives way to the view's state; errors stay until Esc. */
export const messageLife = 5000;

export function messageActions({ set }: Slice<MessageState>): MessageActions {
  return {
    show(text, tone, now) {
      set(({ message }) => ({ message: messageAfter(message, text, tone, now) }));
    },
    begin(text, now) {
      let shown: Message | undefined;
      set(({ message }) => {
        shown = { ...messageAfter(message, text, 'plain', now), isOngoing: true };
        return { message: shown };
      });
      return () => set(({ message }) => (message === shown ? { message: undefined } : {}));
    },
    clear() {
      set({ message: undefined });
    },
    clearIf(matches) {
      set(({ message }) =>
        message !== undefined && matches(message) ? { message: undefined } : {},
      );
    },
    askToLeave(text, now) {
      set({ leaveAsked: { text, at: now } });
    },
    withdrawLeave() {
      set(({ message, leaveAsked }) => {
        if (leaveAsked === undefined) return {};
        const isShown = message?.text === leaveAsked.text;
        return { leaveAsked: undefined, ...(isShown ? { message: undefined } : {}) };
      });
    },
  };
}

/**
 * Returns the message that replaces another at `now`. It counts an error that was visible for less
 * than {@link messageLife}.
 */
export function messageAfter(
  before: Message | undefined,
  text: string,
  tone: Tone,
  now: number,
): Message {
  const isUnread = before?.tone === 'bad' && now - before.at < messageLife;
  const unread = (before?.unread ?? 0) + (isUnread && before.text !== text ? 1 : 0);
  return { text, tone, at: now, ...(unread === 0 ? {} : { unread }) };
}

/** Returns whether a message is still shown at `now`. */
export function isMessageShown(message: Message, now: number): boolean {
  const isOngoing = message.isOngoing === true;
  return isOngoing || staysUntilEscape(message) || now - message.at < messageLife;
}

/** Returns whether only Esc clears the message: an error, or a message that counts errors. */
export function staysUntilEscape(message: Message | undefined): boolean {
  return message?.tone === 'bad' || message?.unread !== undefined;
}
