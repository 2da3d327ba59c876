import { useDeck } from '../parts/context.ts';
import { PickerBox } from '../parts/picker-box.tsx';
import type { EditedLine } from '../text/line-editor.ts';
import { matchingServices, switchProfile } from './switch-profile.ts';

/** Box that picks the service to switch to. */
export function ProfilePicker(props: {
  readonly line: EditedLine;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const items = matchingServices(deck, props.line.text).map(({ name, host, isReadOnly }) => ({
    id: name,
    label: name,
    meaning: [
      host,
      ...(isReadOnly ? ['read-only'] : []),
      ...(name === deck.profile.name ? ['shown now'] : []),
    ].join(', '),
    choose() {
      deck.screen.overlay.close();
      switchProfile(deck, name);
    },
  }));
  return <PickerBox title="switch to" prompt="Find: " items={items} {...props} />;
}
