import type { StoreApi } from 'zustand/vanilla';

/** A row of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** Explanation beside the label; a sheet explains the selected item only. */
  readonly meaning?: string;
  /** Text in which typing finds the item: its label by default. */
  readonly found?: string;
  /** Called once the menu is closed. */
  readonly choose: () => void;
}

/** A box that picks one of its items; typing narrows them. */
export interface Menu {
  /** Title in the upper edge, after the profile's name. */
  readonly title: string;
  items(): readonly MenuItem[];
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

/** Returns the items of a menu in which the typed text is found, in any case. */
export function foundItems({ menu, narrow }: OpenMenu): readonly MenuItem[] {
  const typed = narrow.toLowerCase();
  return menu.items().filter(({ label, found = label }) => found.toLowerCase().includes(typed));
}
