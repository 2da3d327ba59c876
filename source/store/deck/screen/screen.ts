import { createStore, type StoreApi } from 'zustand/vanilla';
import { startOfList } from '../../lists/cursor.ts';
import { eachListPane } from '../../lists/list-panes.ts';
import { noMarks } from '../../lists/marks.ts';
import { firstOrders } from '../../lists/order.ts';
import { noQueries } from '../../log/line-queries.ts';
import { type AppearanceActions, appearanceActions, type AppearanceState } from './appearance.ts';
import { backStep, escapeStep } from './escape.ts';
import type { FocusState } from './focus.ts';
import { type FormsActions, formsActions, type FormsState } from './forms.ts';
import { firstListRows, type LayoutActions, layoutActions, type LayoutState } from './layout.ts';
import { type ListViewsActions, listViewsActions, type ListViewsState } from './list-views.ts';
import { type MainViewState, startOfView } from './main-view.ts';
import { type MessageActions, messageActions, type MessageState } from './message.ts';
import { type OverlayActions, overlayActions, type OverlayState } from './overlay.ts';
import { type ReadingActions, readingActions, type ReadingState } from './reading.ts';
import { type SettingsActions, settingsActions, type SettingsState } from './settings.ts';
import type { Slice } from './slice.ts';
import { type TransferActions, transferActions, type TransferState } from './transfer.ts';
import { type FocusActions, focusActions, type ViewActions, viewActions } from './view.ts';

/** The state of the screen, in one store, so that a step over several slices is one change. */
export interface Screen
  extends FocusState,
    MainViewState,
    OverlayState,
    MessageState,
    LayoutState,
    ListViewsState,
    ReadingState,
    FormsState,
    TransferState,
    AppearanceState,
    SettingsState {}

/** The screen: read-only state, and the actions of its slices, which alone change it. */
export interface ScreenStore
  extends Pick<StoreApi<Screen>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly focus: FocusActions;
  readonly view: ViewActions;
  readonly overlay: OverlayActions;
  readonly message: MessageActions;
  readonly layout: LayoutActions;
  readonly listViews: ListViewsActions;
  readonly reading: ReadingActions;
  readonly forms: FormsActions;
  readonly transfer: TransferActions;
  readonly appearance: AppearanceActions;
  readonly settings: SettingsActions;
  /** Takes one step of Esc; false where there is nothing to undo. */
  escape(): boolean;
  /** Goes back one place, out of full screen first; false where there is no way back. */
  goBack(): boolean;
}

export function createScreenStore(
  start: Partial<
    Pick<
      Screen,
      | 'focus'
      | 'fullscreen'
      | 'orders'
      | 'times'
      | 'histogram'
      | 'rawJson'
      | 'theme'
      | 'hasBell'
      | 'hasTrueColour'
      | 'restartDelay'
      | 'hasMouse'
    >
  > = {},
): ScreenStore {
  const store = createStore<Screen>(() => ({
    focus: start.focus ?? 'deployments',
    wayBack: [],
    main: { kind: 'logs' },
    fullscreen: start.fullscreen ?? false,
    widen: 0,
    listRows: firstListRows,
    cursors: eachListPane(() => startOfList),
    filters: eachListPane(() => ''),
    orders: start.orders ?? firstOrders,
    marks: noMarks,
    deploymentMarks: noMarks,
    wrap: false,
    times: start.times ?? 'time',
    histogram: start.histogram,
    rawJson: start.rawJson ?? false,
    scroll: startOfView,
    detailCursor: startOfList,
    logLeft: 0,
    overlay: undefined,
    message: undefined,
    leaveAsked: undefined,
    keptGrants: new Map(),
    keptPath: '',
    transfer: undefined,
    entered: [],
    enteredPaths: { machine: [], service: [] },
    queries: noQueries,
    theme: start.theme ?? 'auto',
    background: undefined,
    hasTrueColour: start.hasTrueColour ?? false,
    hasBell: start.hasBell ?? true,
    restartDelay: start.restartDelay,
    hasMouse: start.hasMouse ?? false,
  }));
  const slice: Slice<Screen> = {
    get: () => store.getState(),
    set(change) {
      store.setState(change);
    },
  };
  const take = (step: Partial<Screen> | undefined): boolean => {
    if (step !== undefined) store.setState(step);
    return step !== undefined;
  };
  return {
    ...store,
    focus: focusActions(slice),
    view: viewActions(slice),
    overlay: overlayActions(slice),
    message: messageActions(slice),
    layout: layoutActions(slice),
    listViews: listViewsActions(slice),
    reading: readingActions(slice),
    forms: formsActions(slice),
    transfer: transferActions(slice),
    appearance: appearanceActions(slice),
    settings: settingsActions(slice),
    escape: () => take(escapeStep(store.getState())),
    goBack: () => take(backStep(store.getState())),
  };
}
