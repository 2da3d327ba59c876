import type { Deck } from '../../store/deck/deck.ts';
import { servicesOf } from '../log/title.ts';
import type { PickerItem } from '../parts/picker-item.ts';

/** Returns the services of the opened deployment whose names contain a typed text. */
export function serviceItems(
  deck: Pick<Deck, 'deployments' | 'opened' | 'screen'>,
  typed: string,
): readonly PickerItem[] {
  const lower = typed.toLowerCase();
  return servicesOf(deck)
    .filter((service) => service.toLowerCase().includes(lower))
    .map((service) => ({
      id: service,
      label: service,
      choose() {
        deck.opened.chooseService(service);
        deck.screen.overlay.closeInto('files');
      },
    }));
}
