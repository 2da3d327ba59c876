import type { PickerItem } from '../parts/picker-item.ts';
import { templateChoices } from './new-deployment.ts';

/** Returns the templates of a new deployment that contain a typed text. */
export function templateItems(
  deck: Parameters<typeof templateChoices>[0],
  typed: string,
): readonly PickerItem[] {
  const lower = typed.toLowerCase();
  return templateChoices(deck)
    .filter(({ name }) => name.includes(lower))
    .map((choice, index) => ({
      id: String(index),
      label: choice.name,
      meaning: choice.description,
      choose() {
        deck.screen.overlay.close();
        choice.choose();
      },
    }));
}
