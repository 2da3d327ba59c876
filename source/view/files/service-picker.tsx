import { useDeck } from '../parts/context.ts';
import { PickerBox } from '../parts/picker-box.tsx';
import type { EditedLine } from '../text/line-editor.ts';
import { serviceItems } from './service-items.ts';

/** Box that picks a service, whose files are then shown. */
export function ServicePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const items = serviceItems(deck, props.line.text);
  return <PickerBox title="service" prompt="Find: " items={items} {...props} />;
}
