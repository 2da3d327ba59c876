import { rowWithId } from '../lists/row-with-id.ts';
import type {
  DeckClock,
  DeploymentsHandle,
  DraftsHandle,
  FilesHandle,
  GrantsHandle,
  LocalStorage,
  MessagesHandle,
} from './handles.ts';
import { joinHandles } from './joins.ts';
import { type Connection, onlyConnection } from './connection.ts';
import type { Client } from '../../client/client.ts';
import { Alerts } from '../alerts/alerts.ts';
import { createAttention } from '../alerts/attention.ts';
import { addressName, createAddressBook } from '../grants/address-book.ts';
import type { Clock } from '../time/clock.ts';
import { createKeyPause, type KeyPause } from '../time/key-pause.ts';
import { createColouredTexts } from '../editor/coloured-texts.ts';
import { createDeploymentBatch } from '../deployments/batch.ts';
import { createDeployments } from '../deployments/deployments.ts';
import { deploymentList } from '../deployments/visible.ts';
import { createDifference } from '../editor/difference.ts';
import { discardDrafts } from '../drafts/discard.ts';
import { createDrafts } from '../drafts/drafts.ts';
import { createEditing } from './editing.ts';
import type { FileWork } from './file-work.ts';
import { createFiles } from '../files/files.ts';
import { createServiceFiles } from '../files/service-files.ts';
import { fileTree } from '../files/visible.ts';
import { createGrantRates } from '../grants/spend-rates.ts';
import { createGrants } from '../grants/grants.ts';
import { grantList } from '../grants/visible.ts';
import { createHistory, type HistoryEntry } from '../history/history.ts';
import type { LogMemory } from '../log/feed/log-source.ts';
import { labelOfDeployment } from './deployment-label.ts';
import { createLists } from './lists.ts';
import { createOpened } from './opened.ts';
import { createPolling } from './polling.ts';
import type { Profile } from './profile.ts';
import { recordedClient } from './recorded-client.ts';
import { refreshDetails } from './refresh-details.ts';
import { createDeckProofs, type ProofSettings } from './proofs.ts';
import type { PendingRestart, RestartJournal } from '../restarts/journal.ts';
import { answerSentence } from '../restarts/sentences.ts';
import type { RestartDelay } from '../restarts/state.ts';
import { createRestarts } from '../restarts/restarts.ts';
import { createTextSearch } from '../text-search/text-search.ts';
import type { ScreenStore } from './screen/screen.ts';
import { restartKeyName } from './screen/main-view.ts';
import { createWriteAccess, type WriteAccess } from './write-access.ts';
import type { Deck } from './deck.ts';
import { earlyPart, lazyPart } from '../../system/lazy-part.ts';

const fileWorkPart = earlyPart(() => import('./file-work.ts'));

/** Milliseconds between two fetches while the service answers. */
const grantsInterval = 5000;
const filesInterval = 10_000;
const detailsInterval = 5000;

/** Creates the stores of one service and connects them. Nothing is fetched before `start`. */
export function createDeck(options: {
  readonly client: Client;
  readonly profile: Profile;
  /** The permission that the client asks too; by default everything may be written. */
  readonly access?: WriteAccess | undefined;
  /** By default there is no other service. */
  readonly connection?: Connection | undefined;
  readonly clock: Clock;
  /** The pauses between keys, where the client shares them; by default the deck's own. */
  readonly keyPause?: KeyPause | undefined;
  /** Random number in [0, 1), which spreads reconnects. */
  readonly random: () => number;
  readonly screen: ScreenStore;
  /** Id of the deployment to open at the start, if it is listed. */
  readonly openAtStart: string | undefined;
  /** True to open it even if the list leaves it out. */
  readonly opensUnlisted?: boolean | undefined;
  /** Called with each deployment that is opened. */
  readonly onOpen: (deploymentId: string) => void;
  /** Time from a deployment's last change to its restart; 5 s by default. */
  readonly restartDelay?: RestartDelay | undefined;
  /** By default no restart is proved. */
  readonly proof?: ProofSettings | undefined;
  readonly logMemory?: LogMemory | undefined;
  readonly journal?: RestartJournal | undefined;
  readonly kept: LocalStorage;
  /** Entries of the restart journal at the start, and the history of an incident file. */
  readonly owed?: readonly PendingRestart[] | undefined;
  readonly earlierHistory?: readonly HistoryEntry[] | undefined;
}): Deck {
  const { profile, screen, access = createWriteAccess(profile) } = options;
  const { trash } = options.kept;
  const serviceNow = (at = options.clock.now()) => at + client.clockOffset();
  const clock: DeckClock = { ...options.clock, serviceNow };
  const { keyPause = createKeyPause(clock) } = options;
  const history = createHistory({ clock, earlier: options.earlierHistory });
  const client: Client = recordedClient(options.client, history, label, grantee);
  const deploymentsStore = createDeployments({ client: client.deployments, clock, keyPause });
  const grantsStore = createGrants({
    client: client.grants,
    clock,
    keyPause,
    wallet: profile.wallet,
  });
  const messages: MessagesHandle = {
    say(text, tone = 'plain') {
      history.said(text, tone);
      screen.message.show(text, tone, clock.now());
    },
    begin(text) {
      history.said(text, 'plain');
      return screen.message.begin(text, clock.now());
    },
  };
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
      const key = restartKeyName(screen.getState());
      const { text, tone } = answerSentence(label(id), result, after, key);
      messages.say(text, tone);
    },
  });
  const batch = createDeploymentBatch({
    client: client.deployments,
    restarts,
    deployments: deploymentsStore,
  });
  const deployments: DeploymentsHandle = { ...deploymentsStore, batch, label };
  const proofs = createDeckProofs(options, {
    client: client.logs,
    clock,
    restarts: restarts.state,
    deployments: deployments.list.state,
    label,
    messages,
  });
  const attention = createAttention({
    deployments: deployments.list.state,
    restarts: restarts.state,
    proofs: proofs.words,
    clock,
    keyPause,
  });
  const draftsStore = createDrafts({ keeper: options.kept.drafts, clock });
  const drafts: DraftsHandle = {
    ...draftsStore,
    discard: (places) => discardDrafts({ drafts: draftsStore, trash, clock }, places),
  };
  const filesStore = createFiles({ client: client.files, clock, drafts, keyPause });
  const editorStore = createEditing({
    client,
    clock,
    drafts,
    locks: options.kept.locks,
    trash,
    restarts,
    files: filesStore,
    host: profile.host,
    deployments,
    messages,
  });
  const difference = createDifference({
    client: client.files,
    clock,
    drafts,
    editor: editorStore,
  });
  const files: FilesHandle = {
    ...filesStore,
    work: lazyPart(loadFileWork),
    ofServices: createServiceFiles({ client: client.files, clock }),
  };

  async function loadFileWork(): Promise<FileWork> {
    const { createFileWork } = await fileWorkPart();
    const local = await options.kept.local();
    return createFileWork({
      client: client.files,
      clock,
      trash,
      local,
      writes: restarts,
      drafts,
      editor: editorStore,
      files: filesStore,
    });
  }

  const opened = createOpened({
    client: client.logs,
    clock,
    random: options.random,
    screen,
    deployments,
    files,
    restarts,
    openAtStart: options.openAtStart,
    opensUnlisted: options.opensUnlisted,
    memory: options.logMemory,
    logViews: options.kept.logViews,
    say: (sentence, tone) => messages.say(sentence, tone),
    onOpen: options.onOpen,
  });
  const refresh = createPolling({
    clock,
    probe: () => deployments.list.refresh(),
    tasks: [
      { interval: grantsInterval, run: () => grantsStore.list.refresh() },
      { interval: filesInterval, run: () => files.list.refresh() },
      { interval: detailsInterval, run: () => refreshDetails(screen, deployments) },
    ],
  });

  function label(id: string): string {
    return labelOfDeployment(deploymentsStore, options.owed, id);
  }

  function grantee(id: string): string | undefined {
    const { rows } = grantsStore.list.state.getState();
    return rowWithId(rows, id)?.value.grantee;
  }

  const grants: GrantsHandle = {
    ...grantsStore,
    rates: createGrantRates({ list: grantsStore.list, serviceNow }),
    addressBook: createAddressBook(),
  };
  const alerts = new Alerts({
    attention,
    deployments: deployments.list.state,
    grants: grants.list.state,
    rateOf: (id) => grants.rates.rateOf(id),
    wallet: () => grants.wallet(),
    clock,
    lowDisk: () => client.lowDisk(),
    nameOf: (wallet) => addressName(grants.addressBook.getState(), wallet),
  });
  const lists = createLists(screen, {
    deployments: deploymentList(deployments, attention.state),
    files: fileTree(files),
    grants: grantList(grants, grants.addressBook, serviceNow),
  });
  const handles = {
    access,
    clock,
    keyPause,
    screen,
    lists,
    messages,
    deployments,
    attention,
    alerts,
    opened,
    files,
    grants,
    restarts,
    proofs,
    drafts,
  };
  const textSearch = createTextSearch(clock);
  const endJoins = joinHandles({
    ...handles,
    difference,
    editor: editorStore,
    textSearch,
    refresh,
    requestedTimes: (id) => options.proof?.requestedTimes(id) ?? [],
  });

  return {
    ...handles,
    profile,
    connection: options.connection ?? onlyConnection,
    history,
    editor: { ...editorStore, difference },
    textSearch,
    colours: createColouredTexts(),
    refresh,
    start: () => refresh.start(),
    stop() {
      endJoins();
      screen.getState().transfer?.cancel();
      batch.stop();
      refresh.stop();
      restarts.stop();
      proofs.stop();
      drafts.stop();
      opened.getState().tail?.stop();
      textSearch.setQuery(undefined);
    },
  };
}
