/** Follows private keys that a service logs over several lines. */
import { keyBegin, keyEnd } from './secret-patterns.ts';

interface KeyMaterial {
  readonly start: number;
  readonly end: number;
}

export interface KeyBlocks {
  /**
   * Returns the parts of a line that belong to a key whose first line came before. The lines of one
   * source must come in their order.
   */
  find(source: string, text: string): readonly KeyMaterial[];
}

/** Lines after which a key without an end is over; a key of 16,384 bits has some 200. */
const mostLines = 400;

const material = /[A-Za-z0-9+/=]{16,}/g;
const shortLine = /^[\s+|-]*[A-Za-z0-9+/=]{1,64}\s*$/;
const headers = /^\s*(?:$|Proc-Type:|DEK-Info:|Version:|Comment:)/;

export function createKeyBlocks(): KeyBlocks {
  /** Lines since the beginning of the key, of each source that is within one. */
  const open = new Map<string, number>();
  return {
    find(source, text) {
      const lines = open.get(source);
      const begin = text.search(keyBegin);
      const isOpened = begin >= 0 && !keyEnd.test(text.slice(begin));
      if (lines === undefined) {
        if (isOpened) open.set(source, 0);
        return [];
      }
      const end = keyEnd.exec(text);
      const isOver = end !== null || lines >= mostLines;
      if (isOpened) open.set(source, 0);
      else if (isOver) open.delete(source);
      else open.set(source, lines + 1);
      if (end !== null) return [{ start: 0, end: end.index }].filter((part) => part.end > 0);
      if (isOver || headers.test(text)) return [];
      if (shortLine.test(text)) return [{ start: 0, end: text.length }];
      const found = Array.from(text.matchAll(material), ({ index, 0: part }) => ({
        start: index,
        end: index + part.length,
      }));
      if (found.length === 0 && !isOpened) open.delete(source);
      return found;
    },
  };
}
