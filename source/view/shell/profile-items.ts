import type { PickerItem } from '../parts/picker-item.ts';
import { matchingServices, switchProfile } from './switch-profile.ts';

/** Returns the services to switch to that contain a typed text. */
export function profileItems(
  deck: Parameters<typeof switchProfile>[0] & Parameters<typeof matchingServices>[0],
  typed: string,
): readonly PickerItem[] {
  return matchingServices(deck, typed).map(({ name, host, isReadOnly }) => ({
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
}
