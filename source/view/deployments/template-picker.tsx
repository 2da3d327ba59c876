import { useStore } from 'zustand';
import { useDeck } from '../parts/context.ts';
import { PickerBox } from '../parts/picker-box.tsx';
import type { EditedLine } from '../text/line-editor.ts';
import { templateChoices } from './new-deployment.ts';

/** Box that picks the template of a new deployment. */
export function TemplatePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  useStore(deck.drafts.state);
  const typed = props.line.text.toLowerCase();
  const items = templateChoices(deck)
    .filter(({ name }) => name.includes(typed))
    .map((choice, index) => ({
      id: String(index),
      label: choice.name,
      meaning: choice.description,
      choose() {
        deck.screen.overlay.close();
        choice.choose();
      },
    }));
  return <PickerBox title="new deployment from" prompt="Find: " items={items} {...props} />;
}
