import { useDeck } from '../parts/context.ts';
import { PickerBox } from '../parts/picker-box.tsx';
import type { EditedLine } from '../text/line-editor.ts';
import { profileItems } from './profile-items.ts';

/** Box that picks the service to switch to. */
export function ProfilePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const items = profileItems(deck, props.line.text);
  return <PickerBox title="switch to" prompt="Find: " items={items} {...props} />;
}
