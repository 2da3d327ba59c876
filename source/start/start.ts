import path from 'node:path';
import { guard as bounded } from './bounded-run.ts';
import type { Client } from '../client/client.ts';
import { createClient } from '../client/client.ts';
import { createClipboard } from '../desktop/clipboard.ts';
import type { Configured, Folders } from '../config/environment.ts';
import type { FirstFrame } from './first-frame.ts';
import { createAnsweredDrafts } from '../disk/answered-drafts.ts';
import { createStateEntry } from '../disk/state-entry.ts';
import { createLastOpened } from '../disk/last-opened.ts';
import { openStateStore } from '../disk/state-store.ts';
import type { LogsCommand } from '../commands/logs.ts';
import { reportReplacedProgram } from './replaced-program.ts';
import type { ServiceConnection } from './host-connection.ts';
import type { Clock } from '../store/time/clock.ts';
import { type Deck, createDeck } from '../store/deck/deck.ts';
import { requestDeployment } from '../store/deployments/reference.ts';
import { readViews, watchViews } from '../store/deck/stored-views.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import type { RestartDelay } from '../store/restarts/state.ts';
import { createScreenStore, type Screen } from '../store/deck/screen/screen.ts';
import { colourDepth, forceColourValue, supportsUnicode } from '../terminal/screen/colour.ts';
import { createKeys } from '../terminal/keys/keys.ts';
import { guardTerminal } from '../terminal/lifecycle.ts';
import { createTerminalOutput } from '../terminal/link/output.ts';
import { createPlainScreen } from '../terminal/screen/plain-screen.ts';
import { createTerminalScreen } from '../terminal/screen/screen.ts';
import { isScreenReader, terminalTraits } from '../terminal/traits.ts';
import { isSplit } from '../view/shell/layout.ts';
import { asciiGlyphs, unicodeGlyphs } from '../view/text/glyphs.ts';
import { firstAnswer } from './first-answer.ts';
import { capYoungGeneration } from './gc-tuning.ts';
import { offerUnfinishedWork } from './unfinished-work.ts';

const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    // A timer takes at least a millisecond; setImmediate lets sliced work continue at once.
    if (milliseconds === 0) {
      const turn = setImmediate(action);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(action, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  guard: bounded,
};

/** Returns a client of the service; undici and `ws` load with the first request. */
export function connect(service: ServiceConnection): Client {
  return createClient({
    baseUrl: service.baseUrl,
    token: service.token,
    wallet: service.profile.wallet,
    streamAuth: service.streamAuth,
  });
}

export interface ConsoleOptions {
  readonly service: ServiceConnection;
  readonly folders: Folders;
  readonly ascii: boolean;
  /** From the last change of a file to the automatic restart; 5 s by default. */
  readonly restartDelay?: RestartDelay | undefined;
  readonly logMemory?: LogMemory | undefined;
  /** Id of the deployment to open full screen; by default the one opened last, not full screen. */
  readonly open?: string | undefined;
  /** The first frame that the terminal shows already. */
  readonly frame?: FirstFrame | undefined;
  /** Called once the first data have arrived. */
  readonly onStarted?: (() => void) | undefined;
}

/** Milliseconds to wait at the end for pending restarts and for answers. */
const settleLimit = 10_000;

/** Runs the console on the terminal until it is quit; any other end exits with an error. */
export async function runConsole(client: Client, options: ConsoleOptions): Promise<void> {
  const { service, folders, open } = options;
  const lastOpened = createLastOpened(folders.state, service.stateKey);
  const listViews = createStateEntry(
    folders.state,
    'lists.json',
    `${service.profile.name} ${service.stateKey}`,
  );
  const kept = await openStateStore(folders.state, service.stateKey);
  const { owed } = kept;
  const traits = terminalTraits(process.env);
  const output = createTerminalOutput(process.stdout, {
    earlierOutput: options.frame?.modes,
    // Text that a screen reader has read out stays on the terminal.
    alternateScreen: traits.alternateScreen || isScreenReader(process.env),
  });
  const keys = createKeys({ input: process.stdin, output });
  const screen = isScreenReader(process.env)
    ? createPlainScreen(output)
    : createTerminalScreen({ output, terminal: process.stdout, traits });
  const deck = createDeck({
    client,
    profile: service.profile,
    clock: systemClock,
    random: Math.random,
    screen: createScreenStore({ ...firstScreen(open), ...readViews(listViews.read()) }),
    openAtStart: open ?? lastOpened.read(),
    opensUnlisted: open !== undefined,
    onOpen: (id) => void lastOpened.write(id),
    restartDelay: options.restartDelay,
    logMemory: options.logMemory,
    owed,
    journal: {
      write(entries) {
        writing = keep(entries);
        return writing;
      },
    },
    kept: { ...kept, local: async () => (await kept.here()).local },
  });
  let writing: Promise<void> | undefined;
  let viewsKept: Promise<void> | undefined;
  let answerKept: Promise<void> | undefined;
  const answered = createAnsweredDrafts(folders.state, service.stateKey, (written) => {
    answerKept = written;
  });
  watchViews(deck.screen, (views) => {
    viewsKept = listViews.write(views);
  });

  async function keep(entries: readonly PendingRestart[]): Promise<void> {
    const result = await kept.writeOwed(entries);
    if (!result.ok) deck.messages.say(result.sentence, 'bad');
  }

  async function shutDown(): Promise<void> {
    deck.deployments.batch.stop();
    // Drafts first: whoever ends the program may not wait until the restarts are settled.
    await Promise.all([
      deck.drafts.flush(),
      deck.restarts.settle(settleLimit),
      // A write that is cut off leaves it unknown whether a deployment or grant was made.
      deck.history.settled(settleLimit),
    ]);
    await Promise.all([writing, viewsKept, answerKept]);
    await deck.drafts.flush();
    await kept.locks.unlockAll();
    deck.stop();
    service.leave();
    await client.close();
  }

  const guard = guardTerminal({
    input: process.stdin,
    output,
    keys,
    shutdown: shutDown,
    shutdownLimit: settleLimit + 1000,
    crashLog: {
      file: path.join(folders.state, 'crash.log'),
      redact: (details) => details.replaceAll(service.token, '[token]'),
    },
    isRecoverable: (error) => reportReplacedProgram(error, deck),
    stopRequests: () => screen.pause(),
    onContinue: () => screen.resume(),
  });
  capYoungGeneration(deck);
  const { mount } = await withColours(() => import('../view/shell/mount.tsx'));
  // One turn of the event loop reads what was typed meanwhile, so that the first real frame answers it.
  await new Promise(setImmediate);
  const typed = options.frame?.handOver();
  keys.onAnswer((answer) => {
    if (answer.kind === 'status') screen.recordAnswer();
  });
  screen.start(options.frame);
  keys.start(typed);
  // Before the first drawing, so that the start of the fetches doesn't draw again.
  deck.start();
  if (service.notice !== undefined) deck.messages.say(service.notice);
  void offerUnfinishedWork(deck, owed, answered);
  void nameAddresses(deck, folders.config);
  void reportStarted(deck, options.onStarted);
  const gone = mount({
    deck,
    keys,
    screen,
    colours: colourDepth(process.env),
    glyphs: options.ascii || !supportsUnicode(process.env) ? asciiGlyphs : unicodeGlyphs,
    // The whole process group, as the terminal's own ^Z does: npm and a shell around it stop too.
    stop: () => process.kill(0, 'SIGTSTP'),
    hand: (text, name) =>
      guard.lendTerminal(async () => {
        const { handToEditor } = await import('../desktop/external-editor.ts');
        return handToEditor(text, name);
      }),
    clipboard: createClipboard({
      stateFolder: folders.state,
      env: process.env,
      pass: (bytes) => screen.writeThrough(bytes),
      away: (run) => guard.lendTerminal(run),
    }),
  });
  const hasQuit = await gone.catch((error: unknown) => {
    guard.crash(error);
    return true;
  });
  if (!hasQuit) {
    guard.endUnasked('its screen was closed');
    return new Promise(() => {});
  }
  screen.pause();
  await keys.leave();
  guard.restore();
  await shutDown();
}

/** Loads the address book after the first list, which has the first addresses. */
async function nameAddresses(deck: Deck, configFolder: string): Promise<void> {
  await firstAnswer(deck);
  // The list is drawn first.
  await new Promise(setImmediate);
  const { loadAddressBook } = await import('../disk/address-book.ts');
  await loadAddressBook(deck, configFolder);
}

async function reportStarted(deck: Deck, onStarted: (() => void) | undefined): Promise<void> {
  await firstAnswer(deck);
  if (deck.deployments.list.state.getState().loadedAt !== undefined) onStarted?.();
}

/** Returns the first focus: the log where panes show one at a time or a log was requested. */
function firstScreen(open: string | undefined): Partial<Pick<Screen, 'focus' | 'fullscreen'>> {
  if (open !== undefined) return { focus: 'main', fullscreen: true };
  return isSplit(process.stdout) ? {} : { focus: 'main' };
}

/** Loads Ink with FORCE_COLOR set, which it reads once, and restores it for child processes. */
async function withColours<T>(load: () => Promise<T>): Promise<T> {
  const { env } = process;
  const before = env['FORCE_COLOR'];
  env['FORCE_COLOR'] = forceColourValue(colourDepth(env));
  try {
    return await load();
  } finally {
    if (before === undefined) delete env['FORCE_COLOR'];
    else env['FORCE_COLOR'] = before;
  }
}

/** Finds a deployment by its id, its name or a prefix of its id. Returns its id, or the problem. */
export async function openableDeployment(
  client: Client,
  text: string,
): Promise<Configured<string>> {
  const found = await requestDeployment(client.deployments, text);
  if (!found.ok) return { ok: false, problem: found.error };
  const reference = found.value;
  switch (reference.kind) {
    case 'one':
      return { ok: true, value: reference.deployment.id };
    case 'none': {
      const sentence = `No deployment on ${client.host} has the name, id or id prefix ${text}.`;
      return { ok: false, problem: { sentence, next: '' } };
    }
    case 'several': {
      const ids = reference.deployments.map(({ id }) => id).join(', ');
      const sentence = `${text} matches several deployments.`;
      return { ok: false, problem: { sentence, next: `Use one of these ids: ${ids}.` } };
    }
  }
}

type PipeOptions = Omit<
  LogsCommand,
  'client' | 'clock' | 'random' | 'stdout' | 'stderr' | 'signal'
>;

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes a log to stdout until it ends or a signal arrives. The last line is complete. */
export async function pipeLogs(client: Client, options: PipeOptions): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of endingSignals) process.on(signal, () => interrupted.abort());
  const { runLogs } = await import('../commands/logs.ts');
  const { stdout, stderr } = process;
  const { signal } = interrupted;
  const clock = systemClock;
  return runLogs({ ...options, client, clock, random: Math.random, stdout, stderr, signal });
}
