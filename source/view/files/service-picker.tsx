import { useDeck } from '../parts/context.ts';
import { PickerBox } from '../parts/picker-box.tsx';
import type { EditedLine } from '../text/line-editor.ts';
import { servicesOf } from '../log/title.ts';

/** Box that picks a service, whose files are then shown. */
export function ServicePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const typed = props.line.text.toLowerCase();
  const items = servicesOf(deck)
    .filter((service) => service.toLowerCase().includes(typed))
    .map((service) => ({
      id: service,
      label: service,
      choose() {
        deck.opened.chooseService(service);
        deck.screen.overlay.closeInto('files');
      },
    }));
  return <PickerBox title="service" prompt="Find: " items={items} {...props} />;
}
