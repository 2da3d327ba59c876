import type { StoreApi } from 'zustand/vanilla';
import type { Client } from '../../client/client.ts';
import { createAddressBook } from '../grants/address-book.ts';
import type { Clock } from '../time/clock.ts';
import { type ColouredTexts, createColouredTexts } from '../editor/coloured-texts.ts';
import { createDeploymentBatch, type DeploymentBatch } from '../deployments/batch.ts';
import { listedMarks } from '../deployments/marks.ts';
import { createDeployments, deploymentLabel, shortId } from '../deployments/deployments.ts';
import { createDifference, type DifferenceStore } from '../editor/difference.ts';
import {
  createDrafts,
  type DraftKeeper,
  type Drafts,
  notifyUnsavedDrafts,
} from '../drafts/drafts.ts';
import { createEditing } from './editing.ts';
import type { EditorStore } from '../editor/editor.ts';
import type { FileWork } from './file-work.ts';
import { createFiles } from '../files/files.ts';
import { createGrantRates } from '../grants/spend-rates.ts';
import { notifyGrants } from './grant-notifier.ts';
import { createGrants } from '../grants/grants.ts';
import { recordingClient } from './history-client.ts';
import { createHistory, type History } from '../history/history.ts';
import type { LogMemory } from '../log/feed/logs.ts';
import { createOpened, type Opened } from './opened.ts';
import { createRefresh, type Refresh } from './refresh.ts';
import { prepareLists } from './prepared-lists.ts';
import type { PendingRestart, RestartJournal } from '../restarts/journal.ts';
import { answerSentence } from '../restarts/sentences.ts';
import type { RestartDelay } from '../restarts/state.ts';
import type { Trash } from '../drafts/trash.ts';
import { forgetGoneDeployments } from '../restarts/gone-deployments.ts';
import { createRestarts, type RestartsStore } from '../restarts/restarts.ts';
import { closeViewsOfRemoved } from './view-cleanup.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { bindCursor, type RowSources } from './rows.ts';
import type { LocalFiles } from '../transfers/local-files.ts';
import type { ServiceKind } from '../editor/templates.ts';
import type { Tone } from '../prompts/tone.ts';
import { holdsRestarts } from './screen/overlay.ts';
import type { ListPane } from './screen/focus.ts';
import type { ScreenStore } from './screen/screen.ts';
import { restartKeyName } from './screen/main-view.ts';

/** Who the console talks to, for row 1 and the boxes. */
export interface Profile {
  readonly name: string;
  /** Production is told apart: its name stands in upper case on red. */
  readonly production: boolean;
  readonly host: string;
  readonly wallet: string | undefined;
  /** The kinds of services that our own host runs; undefined for other hosts, which run images. */
  readonly workloads?: readonly ServiceKind[] | undefined;
}

/** Everything the view reads and the keys act on: the stores of one service, and their flows. */
export interface Deck extends RowSources {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly restarts: RestartsStore;
  /** Several deployments that are closed or restarted. */
  readonly batch: DeploymentBatch;
  /** Text that was typed and not saved. */
  readonly drafts: Drafts;
  /** The file that is edited. */
  readonly editor: EditorStore;
  /** What differs between a draft and the service. */
  readonly difference: DifferenceStore;
  /** Colours of texts in Details. */
  readonly colours: ColouredTexts;
  /** Operations, uploads and downloads; loaded when they are first wanted. */
  fileWork(): Promise<FileWork>;
  readonly refresh: Refresh;
  /** What was done and said since the start. */
  readonly history: History;
  /** The opened deployment: the one whose files and log are shown. */
  readonly opened: StoreApi<Opened>;
  /** With several ids, the logs of all these are shown in one tail. */
  openDeployment(id: string, joined?: readonly string[]): void;
  /** Lists the files of one of the opened deployment's services. */
  chooseService(service: string): void;
  /** What people call a deployment: its name, or a part of its id. */
  label(id: string): string;
  /** Restarts it now, unless that is under way. */
  restart(id: string): void;
  say(text: string, tone?: Tone): void;
  start(): void;
  stop(): void;
}

/** What this machine keeps for the console, and its own files. */
export interface LocalStorage {
  readonly drafts: DraftKeeper;
  readonly trash: Trash;
  readonly local: () => Promise<LocalFiles>;
}

/** Milliseconds between two fetches while the service answers. */
const grantsEvery = 5000;
const filesEvery = 10_000;
const detailsEvery = 5000;

/** Makes the stores of one service and joins them; nothing is fetched before `start`. */
export function createDeck(options: {
  readonly client: Client;
  readonly profile: Profile;
  readonly clock: Clock;
  /** In [0, 1): spreads reconnects. */
  readonly random: () => number;
  readonly screen: ScreenStore;
  /** Deployment to open at the start, when it is listed. */
  readonly openAtStart: string | undefined;
  /** Called with each deployment that is opened. */
  readonly onOpen: (deploymentId: string) => void;
  /** From a deployment's last change to its restart; 5 s. */
  readonly restartDelay?: RestartDelay | undefined;
  readonly logMemory?: LogMemory | undefined;
  readonly journal?: RestartJournal | undefined;
  readonly kept: LocalStorage;
  /** What the journal held at the start. */
  readonly owed?: readonly PendingRestart[] | undefined;
}): Deck {
  const { clock, screen } = options;
  const history = createHistory({ clock });
  const client = recordingClient(options.client, history, { deployment: label, grantee });
  const deployments = createDeployments({ client: client.deployments, clock });
  const files = createFiles({ client: client.files, clock });
  const grants = createGrants({ client: client.grants, clock, wallet: options.profile.wallet });
  const restarts = createRestarts({
    client: client.deployments,
    clock,
    delay: options.restartDelay,
    journal: options.journal,
    owed: options.owed,
    name: label,
    onAnswer(id, result) {
      refresh.now();
      if (batch.answered(id, result)) return;
      const after = restarts.state.getState().get(id);
      const { text, tone } = answerSentence(
        label(id),
        result,
        after,
        restartKeyName(screen.getState()),
      );
      say(text, tone);
    },
  });
  const batch = createDeploymentBatch({ client: client.deployments, restarts, deployments });
  const drafts = createDrafts({ keeper: options.kept.drafts, clock });
  const editor = createEditing({
    client,
    clock,
    drafts,
    trash: options.kept.trash,
    restarts,
    files,
    host: options.profile.host,
    label,
    say,
  });
  const difference = createDifference({ client: client.files, clock, drafts, editor });
  let work: Promise<FileWork> | undefined;

  async function loadFileWork(): Promise<FileWork> {
    const { createFileWork } = await import('./file-work.ts');
    const { trash, local } = options.kept;
    return createFileWork({
      client: client.files,
      clock,
      trash,
      local: await local(),
      writes: restarts,
      drafts,
    });
  }

  const openedStore = createOpened({
    client: client.logs,
    clock,
    random: options.random,
    screen,
    deployments,
    files,
    restarts,
    serviceNow: () => serviceNow(),
    openAtStart: options.openAtStart,
    memory: options.logMemory,
    onOpen: options.onOpen,
  });
  const opened = openedStore.state;
  const refresh = createRefresh({
    clock,
    probe: () => deployments.list.refresh(),
    tasks: [
      { every: grantsEvery, run: () => grants.list.refresh() },
      { every: filesEvery, run: () => files.list.refresh() },
      { every: detailsEvery, run: refreshDetails },
    ],
  });

  async function refreshDetails() {
    const { main } = screen.getState();
    return main.kind === 'deployment'
      ? deployments.fetch(main.id)
      : ({ ok: true, value: undefined } as const);
  }

  function label(id: string): string {
    const row = rowWithId(deployments.list.state.getState().rows, id);
    if (row !== undefined) return deploymentLabel(row.value);
    const entry = options.owed?.find((one) => one.deploymentId === id);
    return entry?.name ?? shortId(id);
  }

  function grantee(id: string): string | undefined {
    return grants.list.state.getState().rows.find(({ value }) => value.id === id)?.value.grantee;
  }

  function say(text: string, tone: Tone = 'plain'): void {
    history.said(text, tone);
    screen.message.show(text, tone, clock.now());
  }

  const serviceNow = () => clock.now() + client.clockOffset();
  const addressBook = createAddressBook();
  const grantRates = createGrantRates({ list: grants.list, serviceNow });
  const sources = {
    deployments,
    files,
    grants,
    grantRates,
    addressBook,
    screen,
    serviceNow,
  };
  const bindCursorOf = (pane: ListPane) => () => bindCursor(sources, pane);
  const subscriptions = [
    refresh.reach.subscribe((now, before) => {
      // What the lists were told is news to the log too.
      if (now.kind === 'up' && before.kind === 'away') opened.getState().tail?.log.retry();
    }),
    prepareLists(deployments, clock),
    deployments.list.state.subscribe(openedStore.openFirst),
    deployments.list.state.subscribe(forgetGoneDeployments(restarts, (id) => batch.forgotten(id))),
    deployments.list.state.subscribe(({ rows }) => {
      const deploymentMarks = listedMarks(screen.getState().deploymentMarks, rows);
      if (deploymentMarks !== screen.getState().deploymentMarks)
        screen.lists.setDeploymentMarks(deploymentMarks);
    }),
    screen.subscribe((now, before) => {
      const holds = holdsRestarts(now.overlay);
      if (holds !== holdsRestarts(before.overlay)) restarts.hold(holds);
    }),
    notifyUnsavedDrafts(drafts, (sentence) => say(sentence, 'bad')),
    closeViewsOfRemoved({ screen, files, difference }),
    deployments.list.state.subscribe(bindCursorOf('deployments')),
    files.list.state.subscribe(bindCursorOf('files')),
    files.state.subscribe(bindCursorOf('files')),
    files.state.subscribe((now, before) => {
      // Paths of one service say nothing about another's.
      if (now.place !== before.place) screen.lists.clearMarks('files');
    }),
    grants.list.state.subscribe(bindCursorOf('grants')),
    notifyGrants({ ...sources, clock, reach: refresh.reach, say }),
  ];

  return {
    ...sources,
    profile: options.profile,
    clock,
    restarts,
    batch,
    drafts,
    editor,
    difference,
    colours: createColouredTexts(),
    fileWork: () => (work ??= loadFileWork()),
    refresh,
    history,
    opened,
    openDeployment: openedStore.open,
    chooseService: openedStore.chooseService,
    label,
    restart(id) {
      const name = label(id);
      say(`Restarting ${name}...`);
      if (!restarts.restart(id)) say(`A restart of ${name} is under way already.`);
    },
    say,
    start: () => refresh.start(),
    stop() {
      for (const unsubscribe of subscriptions) unsubscribe();
      screen.getState().transfer?.cancel();
      batch.stop();
      refresh.stop();
      restarts.stop();
      drafts.stop();
      opened.getState().tail?.stop();
    },
  };
}
