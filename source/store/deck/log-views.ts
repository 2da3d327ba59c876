/** Remembers how the logs of the deployments are read, also when the program has ended. */
import { createFilterLists, type FilterLists } from '../log/reader/named-filters.ts';
import {
  createPipedCommands,
  type PipedCommands,
  readPipedCommands,
} from '../log/piped-commands.ts';
import { ownProperty } from '../log/stored/stored-line.ts';
import { restoreView, type ViewRestoring } from '../log/stored/restore-view.ts';
import {
  isFirstView,
  readFilterLists,
  type LogViewsKeeper,
  readStoredView,
  type StoredView,
  viewOfLog,
} from '../log/stored/stored-view.ts';
import type { Tail } from '../log/tail.ts';
import type { Tone } from '../prompts/tone.ts';
import type { DeckClock } from './handles.ts';

export interface LogViews {
  readonly filterLists: FilterLists;
  /** Commands to which lines of any log were piped. */
  readonly pipedCommands: PipedCommands;
  /** Brings the reader of a log that was opened back to where it was left, and stores how it is read. */
  open(tail: Tail): void;
  /** Stores how the open log is read now. */
  keep(): void;
  /** Stores how the log is read, before it closes. */
  close(): void;
}

/** Milliseconds after a change until it is stored. */
const storeDelay = 2000;
/** Most deployments whose views are stored; those that were read last. */
const mostViews = 50;

export function createLogViews(options: {
  readonly keeper: LogViewsKeeper | undefined;
  readonly clock: DeckClock;
  readonly say: (sentence: string, tone?: Tone) => void;
}): LogViews {
  const { keeper, clock } = options;
  const views = new Map<string, StoredView>();
  let open: { readonly tail: Tail; readonly restoring: ViewRestoring } | undefined;
  let ends: (() => void)[] = [];
  let cancelStore: (() => void) | undefined;
  const keyOf = ({ deploymentIds }: Tail): string => deploymentIds.join();

  /** Another console may have stored its views meanwhile. */
  const storedViews = (): ReadonlyMap<string, unknown> => {
    const stored = ownProperty(keeper?.read(), 'views');
    return new Map(typeof stored === 'object' && stored !== null ? Object.entries(stored) : []);
  };
  const storedLists = () => readFilterLists(ownProperty(keeper?.read(), 'lists'));
  const storedPipes = () => readPipedCommands(ownProperty(keeper?.read(), 'pipes'));
  const filterLists = createFilterLists(storedLists, (lists) => write({ lists }));
  const pipedCommands = createPipedCommands(storedPipes, (pipes) => write({ pipes }));

  /** Stores the parts that this console has changed; the others are those of the last one to write them. */
  function write({
    views = storedViews(),
    lists = storedLists(),
    pipes = storedPipes(),
  }: {
    readonly views?: ReadonlyMap<string, unknown>;
    readonly lists?: ReturnType<typeof storedLists>;
    readonly pipes?: ReturnType<typeof storedPipes>;
  }): void {
    keeper?.write({ views: Object.fromEntries([...views].slice(-mostViews)), lists, pipes });
  }

  function keep(): void {
    cancelStore?.();
    cancelStore = undefined;
    if (open === undefined) return;
    const { tail, restoring } = open;
    const key = keyOf(tail);
    const view = { ...viewOfLog(tail, restoring.unresolved()), ...restoring.pendingCursor() };
    views.set(key, view);
    if (keeper === undefined) return;
    const all = new Map(storedViews());
    if (isFirstView(view) && !all.has(key)) return;
    all.delete(key);
    if (!isFirstView(view)) all.set(key, view);
    write({ views: all });
  }

  function keepSoon(): void {
    cancelStore ??= clock.after(storeDelay, keep);
  }

  return {
    filterLists,
    pipedCommands,
    keep,
    open(tail) {
      const view = views.get(keyOf(tail)) ?? readStoredView(storedViews().get(keyOf(tail)));
      const restoring = restoreView(tail, view, {
        clock,
        serviceNow: () => clock.serviceNow(),
        say: options.say,
      });
      tail.patternNames.restore(view.patternNames ?? []);
      if (view.patternOrder !== undefined) tail.patternList.setOrder(view.patternOrder);
      if (view.isFolded === true) tail.folds.toggle();
      open = { tail, restoring };
      ends = [
        tail.view.position.subscribe(keepSoon),
        tail.reading.marks.state.subscribe(keepSoon),
        tail.reading.columns.state.subscribe(keepSoon),
        tail.patternNames.state.subscribe(keepSoon),
        tail.patternList.state.subscribe((now, before) => {
          if (now.order !== before.order) keepSoon();
        }),
        tail.folds.state.subscribe((now, before) => {
          if (now.isOn !== before.isOn) keepSoon();
        }),
        tail.filter.onCriteriaChanged(keepSoon),
      ];
    },
    close() {
      keep();
      open?.restoring.stop();
      open = undefined;
      for (const end of ends) end();
      ends = [];
    },
  };
}
