import type { FindQuery } from '../../editor/find.ts';

/** What is searched for in the editor, and put in its place, while it is typed. */
export interface Finding {
  readonly kind: 'find';
  readonly field: 'find' | 'replace';
  readonly query: FindQuery;
  readonly replacement: string;
  /** Offset in the text of the field. */
  readonly caret: number;
  /** The query is no regular expression. */
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

/** The text of the field that is typed in. */
export function fieldText({ field, query, replacement }: Finding): string {
  return field === 'find' ? query.text : replacement;
}

/** From one field to the other, behind what stands there. */
export function otherField(box: Finding): Finding {
  const next: Finding = { ...box, field: box.field === 'find' ? 'replace' : 'find' };
  return { ...next, caret: fieldText(next).length };
}
