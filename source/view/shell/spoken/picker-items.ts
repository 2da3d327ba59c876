import type { Deck } from '../../../store/deck/deck.ts';
import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import { templateItems } from '../../deployments/template-items.ts';
import { serviceItems } from '../../files/service-items.ts';
import type { PickerItem } from '../../parts/picker-item.ts';
import { profileItems } from '../profile-items.ts';

/** A box that picks an item. */
export type Picker = Extract<Overlay, { kind: 'services' | 'beginnings' | 'profiles' }>;

/** Returns whether a box picks an item. */
export function isPicker(overlay: Overlay): overlay is Picker {
  return ['services', 'beginnings', 'profiles'].includes(overlay.kind);
}

/** Returns the items of a picker that contain the typed text. */
export function pickerItems(deck: Deck, { kind, narrow }: Picker): readonly PickerItem[] {
  switch (kind) {
    case 'services':
      return serviceItems(deck, narrow);
    case 'beginnings':
      return templateItems(deck, narrow);
    case 'profiles':
      return profileItems(deck, narrow);
  }
}
