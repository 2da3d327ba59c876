import { useStore } from 'zustand';
import { useDeck } from '../parts/context.ts';
import { PickerBox } from '../parts/picker-box.tsx';
import type { EditedLine } from '../text/line-editor.ts';
import { templateItems } from './template-items.ts';

/** Box that picks the template of a new deployment. */
export function TemplatePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  useStore(deck.drafts.state);
  const items = templateItems(deck, props.line.text);
  return <PickerBox title="new deployment from" prompt="Find: " items={items} {...props} />;
}
