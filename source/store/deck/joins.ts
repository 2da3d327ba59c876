import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Alerts } from '../alerts/alerts.ts';
import type { Attention } from '../alerts/attention.ts';
import { listedMarks } from '../deployments/marks.ts';
import { deploymentPreparations, visibleDeployments } from '../deployments/visible.ts';
import { type Drafts, notifyUnsavedDrafts } from '../drafts/drafts.ts';
import type { DifferenceStore } from '../editor/difference.ts';
import type { EditorStore } from '../editor/editor.ts';
import type { FilesStore } from '../files/files.ts';
import { treePreparations } from '../files/tree.ts';
import { grantPreparations, visibleGrants } from '../grants/visible.ts';
import { dropAppliedElsewhere } from '../restarts/applied-elsewhere.ts';
import { forgetGoneDeployments } from '../restarts/gone-deployments.ts';
import { idsOf, rowWithId } from '../lists/row-with-id.ts';
import { labelSentences } from '../log/feed/log-source.ts';
import type { RestartsStore } from '../restarts/restarts.ts';
import { notifyGrants } from './grant-notifier.ts';
import { rememberFileViews } from './file-views.ts';
import { fetchWhenLogReturns } from './log-return.ts';
import type { DeckClock, DeploymentsHandle, GrantsHandle, MessagesHandle } from './handles.ts';
import type { OpenedStore } from './opened.ts';
import { followFiles } from './follow-files.ts';
import { followListRows } from './list-rows.ts';
import { prepareLists } from './prepared-lists.ts';
import type { KeyPause } from '../time/key-pause.ts';
import type { Polling } from './polling.ts';
import type { Lists } from './lists.ts';
import { pausesRestarts } from './screen/overlay.ts';
import type { ScreenStore } from './screen/screen.ts';
import { holdsView } from './screen/main-view.ts';
import { endCountdownsOfReadOnly, type WriteAccess } from './write-access.ts';
import type { TextSearch } from '../text-search/text-search.ts';

/** Subscribes the stores of the deck to each other. Returns the function that unsubscribes them. */
export function joinHandles(handles: {
  readonly access: WriteAccess;
  readonly clock: DeckClock;
  readonly keyPause: KeyPause;
  readonly screen: ScreenStore;
  readonly lists: Lists;
  readonly messages: MessagesHandle;
  readonly deployments: DeploymentsHandle;
  readonly opened: OpenedStore;
  readonly files: FilesStore;
  readonly grants: GrantsHandle;
  readonly restarts: RestartsStore;
  readonly attention: Attention;
  readonly alerts: Alerts;
  readonly drafts: Drafts;
  readonly difference: DifferenceStore;
  readonly editor: EditorStore;
  readonly textSearch: Pick<TextSearch, 'setQuery' | 'show'>;
  readonly refresh: Polling;
  /** Returns the times of accepted restarts from this machine, ms by the service's clock. */
  readonly requestedTimes: (deployment: string) => readonly number[];
}): () => void {
  const { screen, messages, deployments, opened, files, restarts, refresh } = handles;
  const listed = deployments.list.state;
  const shownDeployments = (rows: readonly DecodedRecord<Deployment>[]) => {
    const { filters, orders } = screen.getState();
    const attention = handles.attention.expected(rows);
    return visibleDeployments(rows, filters.deployments, orders.deployments, attention);
  };
  deployments.list.prepareWith((rows) => [
    () => void rowWithId(rows, ''),
    ...handles.attention.preparations(rows),
    ...deploymentPreparations(rows, () => handles.attention.expected(rows)),
    () => void shownDeployments(rows),
    () => void idsOf(shownDeployments(rows)),
  ]);
  handles.grants.list.prepareWith((rows) => {
    const { grants } = handles;
    const now = handles.clock.serviceNow();
    const book = grants.addressBook.getState();
    const shown = () => {
      const { filters, orders } = screen.getState();
      return visibleGrants(rows, filters.grants, now, book, orders.grants, grants.wallet());
    };
    return [
      () => void rowWithId(rows, ''),
      ...grantPreparations(rows, { book, wallet: grants.wallet(), now }),
      () => void shown(),
      () => void idsOf(shown()),
    ];
  });
  const forgetGone = forgetGoneDeployments(restarts, (id) => deployments.batch.forgotten(id));
  const subscriptions = [
    refresh.reach.subscribe((now, before) => {
      // The lists reached the service first, so the log need not wait for its backoff.
      if (now.kind === 'up' && before.kind === 'away') opened.getState().tail?.log.reconnect();
    }),
    fetchWhenLogReturns(opened, refresh),
    endCountdownsOfReadOnly(handles),
    followListRows(handles),
    prepareLists(handles, [
      {
        state: listed,
        steps: () =>
          deploymentPreparations(listed.getState().rows, handles.attention.state.getState),
      },
      {
        state: files.list.state,
        steps: () => treePreparations(files.drafted().rows, screen.getState().orders.files),
      },
    ]),
    () => handles.alerts.stop(),
    () => handles.attention.stop(),
    listed.subscribe(() => opened.openFirst()),
    listed.subscribe(forgetGone),
    dropAppliedElsewhere(
      restarts,
      listed,
      () => handles.clock.serviceNow(),
      handles.requestedTimes,
    ),
    listed.subscribe(({ rows }) => {
      const { deploymentMarks } = screen.getState();
      const marks = listedMarks(deploymentMarks, rows);
      if (marks !== deploymentMarks) screen.listViews.setDeploymentMarks(marks);
    }),
    screen.subscribe((now, before) => {
      const holds = pausesRestarts(now.overlay);
      if (holds !== pausesRestarts(before.overlay)) restarts.setPaused(holds);
    }),
    screen.subscribe(({ restartDelay }, before) => {
      if (restartDelay !== undefined && restartDelay !== before.restartDelay) {
        restarts.setDelay(restartDelay);
      }
    }),
    notifyUnsavedDrafts(handles.drafts, (sentence) => messages.say(sentence, 'bad')),
    closeViewsOfRemoved(handles),
    screen.subscribe(({ main }, before) => {
      // A search belongs to the view that it was started in.
      if (main.kind === before.main.kind) return;
      handles.textSearch.setQuery(undefined);
      handles.textSearch.show([], 0);
    }),
    sayLabels(opened, messages),
    ...Object.values(handles.lists).map((list) => list.subscribe(() => list.holdCursor())),
    rememberFileViews(files, screen),
    followFiles(handles),
    notifyGrants({ ...handles, reach: refresh.reach }),
  ];
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe();
  };
}

/** Says once for each log what holds for the whole of it. Returns the function that stops it. */
function sayLabels(opened: OpenedStore, messages: MessagesHandle): () => void {
  let stopWatching = (): void => {};
  const stopFollowing = opened.subscribe(({ tail }, before) => {
    if (tail === before.tail) return;
    stopWatching();
    const watched = tail?.log.state.subscribe(({ labels }, last) => {
      for (const label of labels)
        if (!last.labels.includes(label)) messages.say(labelSentences[label]);
    });
    stopWatching = watched ?? stopWatching;
  });
  return () => {
    stopWatching();
    stopFollowing();
  };
}

/** Closes the file or difference of a view when pane 4 no longer shows it. Returns the function that stops it. */
function closeViewsOfRemoved(stores: {
  readonly screen: ScreenStore;
  readonly files: Pick<FilesStore, 'close'>;
  readonly difference: Pick<DifferenceStore, 'close'>;
}): () => void {
  const { screen, files, difference } = stores;
  return screen.subscribe((now, before) => {
    if (now.main === before.main && now.wayBack === before.wayBack) return;
    if (holdsView(before, 'file') && !holdsView(now, 'file')) files.close();
    if (holdsView(before, 'diff') && !holdsView(now, 'diff')) difference.close();
  });
}
