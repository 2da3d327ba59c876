import type { FindQuery } from '../../editor/find.ts';

/** The open find-and-replace prompt of the editor. */
export interface Finding {
  readonly kind: 'find';
  readonly field: 'find' | 'replace';
  readonly query: FindQuery;
  readonly replacement: string;
  /** Offset in the text of the field. */
  readonly caret: number;
  /** True when the query is not a valid regular expression. */
  readonly invalid: boolean;
  /** The selection that Esc restores. */
  readonly before: { readonly anchor: number; readonly head: number };
}

export function finding(text: string, before: Finding['before']): Finding {
  return {
    kind: 'find',
    field: 'find',
    query: { text, regex: false, matchCase: false },
    replacement: '',
    caret: text.length,
    invalid: false,
    before,
  };
}

/** Returns the text of the focused field. */
export function fieldText({ field, query, replacement }: Finding): string {
  return field === 'find' ? query.text : replacement;
}

/** Returns the prompt with the other field focused and the caret at the end of its text. */
export function otherField(box: Finding): Finding {
  const next: Finding = { ...box, field: box.field === 'find' ? 'replace' : 'find' };
  return { ...next, caret: fieldText(next).length };
}
