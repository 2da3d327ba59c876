import type { RestartDelay } from '../restarts/state.ts';
import { eachListPane, type ListPane, listPaneNames } from '../lists/list-panes.ts';
import { firstOrders, orderText, readOrder } from '../lists/order.ts';
import { ownProperty } from '../log/stored/stored-line.ts';
import { parseLogTimeFormat } from '../log/times.ts';
import { parseTheme } from './screen/appearance.ts';
import type { Screen, ScreenStore } from './screen/screen.ts';

const storedFields = [
  'orders',
  'times',
  'histogram',
  'rawJson',
  'theme',
  'hasBell',
  'hasTrueColour',
  'restartDelay',
  'hasMouse',
] as const satisfies readonly (keyof Screen)[];

/** Settings of the lists, the log, the look and of `:set` that outlive the program. */
export type ListViews = Pick<Screen, (typeof storedFields)[number]>;

/** Settings that hold until a person chooses others. */
export type DefaultViews = Pick<ListViews, 'theme' | 'hasBell'>;

const firstDefaults: DefaultViews = { theme: 'auto', hasBell: true };

/** Returns the settings that differ from the defaults, as plain data. */
export function storedViews(views: ListViews, defaults: DefaultViews = firstDefaults): unknown {
  const { orders, times, histogram, rawJson, theme, hasBell } = views;
  const { hasTrueColour, restartDelay, hasMouse } = views;
  return {
    orders: changed((list) =>
      orders[list] === firstOrders[list] ? undefined : orderText(orders[list]),
    ),
    ...(times === 'time' ? {} : { times }),
    ...(histogram === undefined ? {} : { histogram }),
    ...(rawJson ? { rawJson } : {}),
    ...(theme === defaults.theme ? {} : { theme }),
    ...(hasBell === defaults.hasBell ? {} : { bell: hasBell }),
    ...(hasTrueColour ? { trueColour: true } : {}),
    ...(restartDelay === undefined ? {} : { restartDelay }),
    ...(hasMouse ? { mouse: true } : {}),
  };
}

function changed(textOf: (list: ListPane) => string | undefined): Readonly<Record<string, string>> {
  const entries = listPaneNames.map((list) => [list, textOf(list)] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [ListPane, string] => entry[1] !== undefined),
  );
}

/** Parses the data of {@link storedViews}; invalid parts become defaults. */
export function readViews(stored: unknown, defaults: DefaultViews = firstDefaults): ListViews {
  const histogram = ownProperty(stored, 'histogram');
  const bell = ownProperty(stored, 'bell');
  return {
    orders: eachListPane(
      (list) => readOrder(list, textAt(stored, 'orders', list)) ?? firstOrders[list],
    ),
    times: parseLogTimeFormat(ownProperty(stored, 'times')),
    histogram: typeof histogram === 'boolean' ? histogram : undefined,
    rawJson: ownProperty(stored, 'rawJson') === true,
    theme: parseTheme(ownProperty(stored, 'theme')) ?? defaults.theme,
    hasBell: typeof bell === 'boolean' ? bell : defaults.hasBell,
    hasTrueColour: ownProperty(stored, 'trueColour') === true,
    hasMouse: ownProperty(stored, 'mouse') === true,
    restartDelay: readDelay(ownProperty(stored, 'restartDelay')),
  };
}

function readDelay(stored: unknown): RestartDelay | undefined {
  if (stored === 'off') return stored;
  return typeof stored === 'number' && Number.isFinite(stored) && stored >= 0 ? stored : undefined;
}

function textAt(stored: unknown, field: string, list: ListPane): string {
  const text = ownProperty(ownProperty(stored, field), list);
  return typeof text === 'string' ? text : '';
}

/** Calls `save` whenever the settings change. Returns the function that unsubscribes. */
export function watchViews(
  screen: ScreenStore,
  save: (stored: unknown) => void,
  defaults: DefaultViews = firstDefaults,
): () => void {
  let last = JSON.stringify(storedViews(screen.getState(), defaults));
  return screen.subscribe((now, before) => {
    if (storedFields.every((field) => now[field] === before[field])) return;
    const views = storedViews(now, defaults);
    const text = JSON.stringify(views);
    if (text === last) return;
    last = text;
    save(views);
  });
}
