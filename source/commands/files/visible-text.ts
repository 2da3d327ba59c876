/** Makes the escape sequences of a text visible that comes in pieces. */
import { sanitize, sanitizeBlock } from '../../terminal/screen/sanitize.ts';

/** Turns the bytes of a file into text that is safe on a terminal. */
export interface VisibleText {
  /** Returns the text that is complete after these bytes. */
  add(bytes: Uint8Array): string;
  /** Returns the rest at the end of the file. */
  end(): string;
}

/** Characters after which a line is shown before its end has come. */
const longLine = 65_536;

/** Creates a reader of UTF-8; bytes that are none become U+FFFD. */
export function createVisibleText(): VisibleText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';

  const take = (length: number): string => {
    const taken = pending.slice(0, length);
    pending = pending.slice(length);
    return taken;
  };
  const lines = (): string => {
    const whole = take(pending.lastIndexOf('\n') + 1);
    return sanitizeBlock(whole, { tab: 'keep' })
      .map((line) => `${line}\n`)
      .join('');
  };

  return {
    add(bytes) {
      pending += decoder.decode(bytes, { stream: true });
      const text = pending.includes('\n') ? lines() : '';
      if (pending.length < longLine) return text;
      // A CR at the end may be the first half of a line end.
      const length = pending.endsWith('\r') ? pending.length - 1 : pending.length;
      return text + sanitize(take(length), { tab: 'keep' });
    },
    end() {
      pending += decoder.decode();
      return sanitize(take(pending.length), { tab: 'keep' });
    },
  };
}
