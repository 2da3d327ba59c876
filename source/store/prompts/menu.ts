import type { StoreApi } from 'zustand/vanilla';

/** A row of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** Explanation beside the label; a sheet explains the selected item only. */
  readonly meaning?: string;
  /** Called once the menu is closed. */
  choose(): void;
}

/** A box that picks one of its items; typing narrows them. */
export interface Menu {
  /** Title in the upper edge, after the profile's name. */
  readonly title: string;
  /** Returns the items that contain a typed text. */
  items(typed: string): readonly MenuItem[];
  /** The store that the items come from, where they may change while the menu is open. */
  readonly source?: Pick<StoreApi<unknown>, 'getState' | 'subscribe'>;
}

/** An open menu, with its cursor as the box has drawn it. */
export interface OpenMenu {
  readonly kind: 'menu';
  readonly menu: Menu;
  /** The typed text. */
  readonly narrow: string;
  /** Place of the next character, as an offset in the text. */
  readonly caret: number;
  /** Id of the item under the cursor; undefined before the box is drawn, and without items. */
  readonly picked?: string | undefined;
}

export function openMenu(menu: Menu): OpenMenu {
  return { kind: 'menu', menu, narrow: '', caret: 0 };
}
