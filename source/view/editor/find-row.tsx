import { useStore } from 'zustand';
import { type Finding, fieldText } from '../../store/prompts/find.ts';
import { useDeck } from '../parts/context.ts';
import { countText } from './find-steps.ts';
import { Field } from '../parts/field.tsx';
import { useWindowSize } from '../parts/use-window-size.ts';

/** What is looked for in the editor, in the row above the keys. */
export function FindRow({ finding }: { readonly finding: Finding }) {
  const deck = useDeck();
  const { columns, rows } = useWindowSize();
  useStore(deck.editor.state, (state) => state.revision);
  const { field, query, caret, invalid } = finding;
  const kind = [query.regex ? ' regex' : '', query.matchCase ? ' with case' : ''].join('');
  const counted = invalid ? 'not a regular expression' : countText(deck);
  const state = counted === '' ? '' : ` (${counted})`;
  return (
    <Field
      prompt={`${field === 'find' ? `Find${kind}` : 'Replace with'}${state}: `}
      at={{ x: 0, y: rows - 2, width: columns }}
      line={{ text: fieldText(finding), caret }}
    />
  );
}

/** The keys of either field. */
export const findHints = {
  find: [
    ['Enter', 'stays'],
    ['Up/Down', 'match'],
    ['Tab', 'replace'],
    ['Alt-R', 'regex'],
    ['Alt-C', 'case'],
    ['Esc', 'back'],
  ],
  replace: [
    ['Enter', 'replaces this'],
    ['Down', 'skips'],
    ['Alt-A', 'replaces all'],
    ['Tab', 'find'],
    ['Esc', 'ends'],
  ],
} as const;
