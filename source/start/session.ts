import { type Client, createClient } from '../client/client.ts';
import { defaultProofSeconds } from '../contract/proof-length.ts';
import { createAnsweredDrafts, createLastOpened, createStateEntry } from '../disk/state-entry.ts';
import { createRestartTimes, withRestartTimes } from '../disk/restart-times.ts';
import { openStateStore } from '../disk/state-store.ts';
import type { Connection } from '../store/deck/connection.ts';
import { createDeck } from '../store/deck/create-deck.ts';
import type { Deck } from '../store/deck/deck.ts';
import { createScreenStore, type Screen } from '../store/deck/screen/screen.ts';
import { type DefaultViews, readViews, watchViews } from '../store/deck/stored-views.ts';
import { createWriteAccess, type WriteAccess } from '../store/deck/write-access.ts';
import type { HistoryEntry } from '../store/history/history.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import { type FirstMarks, withFirstMarks } from '../store/log/stored/stored-view.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import type { RestartDelay } from '../store/restarts/state.ts';
import { createKeyPause, type KeyPause } from '../store/time/key-pause.ts';
import { isSplit } from '../view/shell/layout.ts';
import { firstAnswer } from './first-answer.ts';
import type { ServiceConnection } from './host-connection.ts';
import { machineClock } from './machine-clock.ts';
import { offerUnfinishedWork } from './unfinished-work.ts';

/** A service with its client, and the permission that the client asks before each write. */
export interface Connected {
  readonly service: ServiceConnection;
  readonly client: Client;
  readonly access: WriteAccess;
  /** The pauses between keys, where client and deck share them for long work. */
  readonly keyPause?: KeyPause;
}

/** Returns a client of the service; undici and `ws` load with the first request. */
export function connect(service: ServiceConnection): Connected {
  const access = createWriteAccess(service.profile, service.readOnly);
  const keyPause = createKeyPause(machineClock);
  const client = createClient({
    baseUrl: service.baseUrl,
    token: service.token,
    wallet: service.profile.wallet,
    streamAuth: service.streamAuth,
    writeRefusal: () => access.refusal(),
    workTurn: () => keyPause.workTurn(),
  });
  return { service, client, access, keyPause };
}

export interface SessionOptions {
  readonly stateFolder: string;
  readonly connection: Connection;
  /** From the last change of a file to the automatic restart, until a person chooses another. */
  readonly restartDelay?: RestartDelay | undefined;
  /** Seconds in which a restart is proved; 0 proves none. */
  readonly proofSeconds?: number | undefined;
  /** The delay of the flag, which outranks an earlier choice. */
  readonly restartDelayFlag?: RestartDelay | undefined;
  readonly logMemory?: LogMemory | undefined;
  /** Settings of the configuration, until a person chooses others. */
  readonly defaultViews: DefaultViews;
  /** Size of the terminal, which decides whether panes are shown beside each other. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** True where nobody sees the panes, so that none is shown beside another. */
  readonly screenReader?: boolean | undefined;
  /** Id of the deployment to open full screen; by default the one opened last, not full screen. */
  readonly open?: string | undefined;
  /** The history of the console that wrote an incident file. */
  readonly earlierHistory?: readonly HistoryEntry[] | undefined;
  /** The lines that it had marked. */
  readonly earlierMarks?: FirstMarks | undefined;
}

/** A console's time on one service: the deck, and what this machine keeps for it. */
export interface Session extends Connected {
  readonly deck: Deck;
  /** Starts fetching, and offers what earlier sessions left. */
  start(): void;
  /**
   * Leaves the service: drafts are written, and pending restarts and writes settled, within
   * `settleLimit`. What is not settled then stays in the restart journal. A second call waits for
   * the first one.
   */
  leave(): Promise<void>;
}

/** Milliseconds to wait at the end for pending restarts and for answers. */
export const settleLimit = 10_000;

/** Opens the local state of a service, and its deck. Nothing is fetched before `start`. */
export async function openSession(connected: Connected, options: SessionOptions): Promise<Session> {
  const { stateFolder, connection, logMemory, defaultViews, open, earlierMarks } = options;
  const { service, client, access, keyPause } = connected;
  const { profile, stateKey } = service;
  const lastOpened = createLastOpened(stateFolder, stateKey);
  const listViews = createStateEntry(stateFolder, 'lists.json', `${profile.name} ${stateKey}`);
  const views = readViews(listViews.read(), defaultViews);
  const kept = await openStateStore(stateFolder, stateKey, { takesOver: !service.readOnly });
  const { owed } = kept;
  let writing: Promise<void> | undefined;
  let viewsKept: Promise<void> | undefined;
  const logViews = createStateEntry(stateFolder, 'logs.json', `${profile.name} ${stateKey}`);
  let logViewsKept: Promise<void> | undefined;
  let answerKept: Promise<void> | undefined;
  const restarts = createRestartTimes(stateFolder, stateKey);
  const deck = createDeck({
    client: withRestartTimes(client, restarts, () => machineClock.now()),
    profile,
    access,
    connection,
    clock: machineClock,
    keyPause,
    random: Math.random,
    screen: createScreenStore({ ...firstScreen(options), ...views }),
    openAtStart: open ?? lastOpened.read(),
    opensUnlisted: open !== undefined,
    onOpen: (id) => void lastOpened.write(id),
    restartDelay: options.restartDelayFlag ?? views.restartDelay ?? options.restartDelay,
    proof: {
      seconds: options.proofSeconds ?? defaultProofSeconds,
      requestedTimes: (id) => restarts.read(id),
    },
    logMemory,
    owed,
    earlierHistory: options.earlierHistory,
    journal: {
      write(entries) {
        writing = keep(entries);
        return writing;
      },
    },
    kept: {
      ...kept,
      local: async () => (await kept.here()).local,
      logViews: {
        read() {
          const stored = logViews.read();
          return earlierMarks === undefined ? stored : withFirstMarks(stored, earlierMarks);
        },
        write(views) {
          logViewsKept = logViews.write(views);
        },
      },
    },
  });
  const answered = createAnsweredDrafts(stateFolder, stateKey, (written) => {
    answerKept = written;
  });
  const keepViews = (views: unknown): void => {
    viewsKept = listViews.write(views);
  };
  watchViews(deck.screen, keepViews, defaultViews);

  async function keep(entries: readonly PendingRestart[]): Promise<void> {
    const result = await kept.writeOwed(entries);
    if (!result.ok) deck.messages.say(result.sentence, 'bad');
  }

  async function leaveService(): Promise<void> {
    deck.opened.keepView();
    deck.deployments.batch.stop();
    // Drafts first: whoever ends the program may not wait until the restarts are settled.
    await Promise.all([
      deck.drafts.flush(),
      deck.restarts.settle(settleLimit),
      // A write that is cut off leaves it unknown whether a deployment or grant was made.
      deck.history.settled(settleLimit),
    ]);
    await Promise.all([writing, viewsKept, logViewsKept, answerKept]);
    await deck.drafts.flush();
    await kept.locks.unlockAll();
    deck.stop();
    service.leave();
    await client.close();
  }

  let leaving: Promise<void> | undefined;
  return {
    ...connected,
    deck,
    start() {
      deck.start();
      const isSingle = options.screenReader !== true && !isSplit(options.size);
      if (open === undefined && isSingle) void showFailing(deck);
      if (service.readOnly) return;
      void offerUnfinishedWork(deck, owed, answered, client.files);
      void firstAnswer(deck).then(() => deck.proofs.resume());
    },
    leave: () => (leaving ??= leaveService()),
  };
}

/**
 * Returns the first focus: the log where a log was requested, and where panes show one at a time
 * until the first answer tells that a deployment fails.
 */
function firstScreen({
  open,
  screenReader,
  size,
}: Pick<SessionOptions, 'open' | 'screenReader' | 'size'>): Partial<
  Pick<Screen, 'focus' | 'fullscreen'>
> {
  if (open !== undefined) return { focus: 'main', fullscreen: true };
  // The list is quiet; the log would speak at once.
  if (screenReader === true) return { focus: 'deployments' };
  return isSplit(size) ? {} : { focus: 'main' };
}

/**
 * Shows the list of deployments in place of the log when the first answer has one with an alert. A person
 * who has pressed a key by then stays where they are.
 */
async function showFailing(
  deck: Pick<Deck, 'attention' | 'deployments' | 'keyPause' | 'screen'>,
): Promise<void> {
  await firstAnswer(deck);
  const { focus, main, overlay } = deck.screen.getState();
  const isUntouched = focus === 'main' && main.kind === 'logs' && !deck.keyPause.hasKeys();
  if (!isUntouched || overlay !== undefined) return;
  if (deck.attention.state.getState().alerting.length > 0) deck.screen.focus.to('deployments');
}
