import { useStore } from 'zustand';
import { type Finding, fieldText } from '../../store/prompts/find.ts';
import { useDeck } from '../parts/context.ts';
import { editFind, matchCountText } from './find-steps.ts';
import { Field } from '../parts/field.tsx';
import { useWindowSize } from '../parts/use-window-size.ts';

/** The search or replacement field of the editor, in the row above the hints. */
export function FindRow({ finding }: { readonly finding: Finding }) {
  const deck = useDeck();
  const { columns, rows } = useWindowSize();
  useStore(deck.editor.state, (state) => state.revision);
  const { field, query, caret, invalid } = finding;
  const kind = [query.regex ? ' regex' : '', query.matchCase ? ' with case' : ''].join('');
  const status = invalid ? 'invalid regular expression' : matchCountText(deck);
  const state = status === '' ? '' : ` (${status})`;
  return (
    <Field
      prompt={`${field === 'find' ? `Find${kind}` : 'Replace with'}${state}: `}
      at={{ x: 0, y: rows - 2, width: columns }}
      line={{ text: fieldText(finding), caret }}
      onEdit={(line) => editFind(deck, finding, line)}
    />
  );
}

/** Hints of both fields. */
export const findHints = {
  find: [
    ['Enter', 'done'],
    ['Up/Down', 'match'],
    ['Tab', 'replace'],
    ['Alt-R', 'regex'],
    ['Alt-C', 'case'],
    ['Esc', 'back'],
  ],
  replace: [
    ['Enter', 'replace'],
    ['Down', 'skip'],
    ['Alt-A', 'replace all'],
    ['Tab', 'find'],
    ['Esc', 'close'],
  ],
} as const;
