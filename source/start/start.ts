import path from 'node:path';
import { createClipboard } from '../desktop/clipboard.ts';
import type { ConfigProblem, Folders } from '../config/environment.ts';
import type { FirstFrame } from './first-frame.ts';
import type { Services } from './services.ts';
import {
  connect,
  type Connected,
  openSession,
  type Session,
  type SessionOptions,
  settleLimit,
} from './session.ts';
import type { ServiceConnection } from './host-connection.ts';
import type { AlertRule } from '../store/alerts/rule.ts';
import { type Connection, onlyConnection, type SwitchProblem } from '../store/deck/connection.ts';
import type { Deck } from '../store/deck/deck.ts';
import { colourDepth, drawsUnicode, knownBackground } from '../terminal/screen/colour.ts';
import { createKeys, type Keys } from '../terminal/keys/keys.ts';
import { guardTerminal, type TerminalGuard } from '../terminal/lifecycle.ts';
import { createTerminalOutput, type TerminalOutput } from '../terminal/link/output.ts';
import { notificationProtocol } from '../terminal/notification.ts';
import { terminalTraits, type TerminalTraits } from '../terminal/traits.ts';
import type { Commands } from '../view/command/registry.ts';
import { asciiGlyphs, unicodeGlyphs } from '../view/text/glyphs.ts';
import { firstAnswer } from './first-answer.ts';
import type { AlertTerminal } from './follow-rules.ts';
import { createIncidentMaker } from './incident-maker.ts';
import { loadView } from './load-view.ts';
import { capYoungGeneration } from './gc-tuning.ts';
import { untilPartsMayLoad } from './unfinished-work.ts';
import { lazyPart, loadEarlyParts, loadedOrNone, PartError } from '../system/lazy-part.ts';
import { backgroundTone } from '../terminal/screen/luminance.ts';
import type { MountOptions } from '../view/shell/mount.tsx';
import { createTerminalScreen, type TerminalScreen } from '../terminal/screen/screen.ts';
import { createUnseenScreen, unseenSize } from '../terminal/screen/unseen-screen.ts';
import type { Speaker } from '../view/shell/spoken/speaker.ts';

const tokenTrial = lazyPart(() => import('./token-trial.ts'));
const tokenPrompt = lazyPart(() => import('../view/shell/token-prompt.ts'));
const ruleFollower = lazyPart(() => import('./follow-rules.ts'));
const addressBook = lazyPart(() => import('../disk/address-book.ts'));

export interface ConsoleOptions
  extends Omit<SessionOptions, 'stateFolder' | 'connection' | 'size'> {
  /** The services to switch to; undefined for an incident file, which is no service. */
  readonly services: Services | undefined;
  readonly folders: Folders;
  /** Alert rules of the first service; undefined where the person has written none. */
  readonly alerts: readonly AlertRule[] | undefined;
  readonly ascii: boolean;
  readonly unicode: boolean;
  /** True to write lines for a screen reader instead of drawing. */
  readonly screenReader: boolean;
  /** The commands with the keys of the configuration; undefined where it has none. */
  readonly commands?: Commands | undefined;
  /** Mistakes of the configuration, with which the console starts all the same. */
  readonly warnings: readonly ConfigProblem[];
  /** The first frame that the terminal shows already. */
  readonly frame?: FirstFrame | undefined;
  /** Called once the first data have arrived. */
  readonly onStarted?: (() => void) | undefined;
}

/** Runs the console on the terminal until it is quit; any other end exits with an error. */
export async function runConsole(connected: Connected, options: ConsoleOptions): Promise<void> {
  const { folders, services } = options;
  const connectionTo = (service: ServiceConnection): Connection =>
    services === undefined ? onlyConnection : changingConnection(services, service);
  const changingConnection = (
    all: Services,
    { tokenFile, token }: ServiceConnection,
  ): Connection => ({
    services: all.options,
    switchTo: (name) => changeService(() => switchTo(name, all)),
    useToken: (typed) => changeService(() => useToken(typed)),
    tokenFile,
    async storeToken() {
      const { storeToken } = await tokenTrial();
      return tokenFile === undefined ? undefined : storeToken(tokenFile, token);
    },
  });
  let session = await openSession(connected, {
    ...options,
    stateFolder: folders.state,
    connection: connectionTo(connected.service),
    size: process.stdout,
  });
  const collectIncident =
    services && createIncidentMaker(() => session, folders.state, options.logMemory);
  let { restartDelay, proofSeconds, alerts } = options;
  let tokens = [session.service.token];
  let isConnecting = false;
  let hasEnded = false;
  const traits = terminalTraits(process.env);
  const isSpoken = options.screenReader;
  const output = createTerminalOutput(process.stdout, {
    earlierOutput: options.frame?.modes,
    alternateScreen: traits.alternateScreen,
  });
  const canAsk = !isSpoken && canAskBackground(process.env);
  const asksBackground = (): boolean => canAsk && session.deck.screen.getState().theme === 'auto';
  const keys = createKeys({
    input: process.stdin,
    output,
    asksBackground,
    // A screen reader reads what is written, so no output switches modes of the terminal.
    hasModes: !isSpoken,
  });
  const { screen, speaker } = await openScreen({ ...options, output, traits });

  const guard = guardTerminal({
    input: process.stdin,
    output,
    keys,
    shutdown: () => session.leave(),
    lost: () => [...session.deck.drafts.state.getState().failures.values()],
    shutdownLimit: settleLimit + 1000,
    crashLog: {
      file: path.join(folders.state, 'crash.log'),
      redact: (details) =>
        tokens.reduce((text, token) => text.replaceAll(token, '[token]'), details),
    },
    isRecoverable: (error) => reportUnloadedPart(error, session.deck),
    keepWork: () => session.deck.drafts.flush(),
    stopRequests: () => screen.pause(),
    onContinue: () => screen.resume(),
  });
  // Answered while the view loads; the first frame reads the answer.
  if (options.frame !== undefined && asksBackground()) keys.requestBackground();
  const { mount } = await loadView().catch(endStart);
  // One turn of the event loop reads what was typed meanwhile, so that the first real frame answers it.
  await new Promise(setImmediate);
  const typed = options.frame?.handOver();
  keys.onAnswer((answer) => {
    if (answer.kind === 'status') screen.recordAnswer();
  });
  let stopRules = (): void => {};
  let stopFollowing = followTerminal(session.deck);
  screen.start(options.frame);
  keys.start(typed);
  // Before the first drawing, so that the start of the fetches doesn't draw again.
  begin(session);
  sayWarnings(session, options.warnings);
  void reportStarted(session.deck, options.onStarted);
  void loadEarly(session);
  const view = mount({
    deck: session.deck,
    keys,
    screen,
    commands: options.commands,
    speaker,
    // Rules say themselves what rings.
    mayRing: () => alerts === undefined,
    colours: colourDepth(process.env),
    glyphs: drawsUnicode(options, process.env) ? unicodeGlyphs : asciiGlyphs,
    // The whole process group, as the terminal's own ^Z does: npm and a shell around it stop too.
    stop: () => process.kill(0, 'SIGTSTP'),
    collectIncident,
    ...lentPrograms(guard),
    clipboard: createClipboard({
      stateFolder: folders.state,
      env: process.env,
      pass: (bytes) => screen.writeThrough(bytes),
      away: (run) => guard.lendTerminal(run),
    }),
  });
  const hasQuit = await view.gone.catch((error: unknown) => {
    guard.crash(error);
    return true;
  });
  if (!hasQuit) {
    guard.endUnasked('its screen was closed');
    return new Promise(() => {});
  }
  hasEnded = true;
  stopRules();
  screen.pause();
  await keys.leave();
  await guard.quit(() => session.leave());

  /** Ends a start whose view can't be loaded. */
  function endStart(error: unknown): Promise<never> {
    // The keys read the last answers of the terminal, which the shell would take for typed text.
    keys.start(options.frame?.handOver());
    guard.crash(error);
    return new Promise(() => {});
  }

  /** Joins the terminal and a deck. Returns the function that ends this. */
  function followTerminal(deck: Deck): () => void {
    const ends = [
      followBackground(deck, keys, canAsk),
      isSpoken ? () => {} : followMouse(deck, keys),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  function begin(next: Session): void {
    capYoungGeneration(next.deck);
    next.start();
    stopRules = followAlertRules(next, alerts ?? [], {
      write: (bytes) => screen.writeThrough(bytes),
      // A screen reader would read a sequence that the terminal doesn't know.
      protocol: isSpoken ? 'bell' : notificationProtocol(process.env),
    });
    void nameAddresses(next.deck, folders.config);
  }

  /** Runs one change of the service at a time. */
  async function changeService(
    change: () => Promise<SwitchProblem | undefined>,
  ): Promise<SwitchProblem | undefined> {
    if (isConnecting) return { sentence: 'Connecting to a service already.', next: '' };
    isConnecting = true;
    try {
      return await change();
    } finally {
      isConnecting = false;
    }
  }

  /** Connects first: a service that can't be reached is no reason to leave this one. */
  async function switchTo(name: string, all: Services): Promise<SwitchProblem | undefined> {
    const reached = await all.reach(name);
    if (!reached.ok) return reached.problem;
    ({ restartDelay, proofSeconds, alerts } = reached.value);
    await reopen(reached.value.service);
    return undefined;
  }

  async function useToken(token: string): Promise<SwitchProblem | undefined> {
    const { tryToken, withToken } = await tokenTrial();
    const { tokenSource = '' } = session.service.profile;
    const service = withToken(session.service, token);
    tokens = [...tokens, token];
    const problem = await tryToken(service);
    if (problem !== undefined) return problem;
    await reopen(service);
    const { offerToStoreToken } = await tokenPrompt();
    offerToStoreToken(session.deck, tokenSource);
    return undefined;
  }

  /** Leaves the service of this session, and shows the deck of another connection. */
  async function reopen(service: ServiceConnection): Promise<void> {
    // The person has quit while the service was being reached.
    if (hasEnded) return service.leave();
    tokens = [...tokens, service.token];
    await view.change(async () => {
      const { background } = session.deck.screen.getState();
      stopRules();
      await session.leave();
      stopFollowing();
      session = await openSession(connect(service), {
        ...options,
        stateFolder: folders.state,
        connection: connectionTo(service),
        size: process.stdout,
        restartDelay,
        proofSeconds,
        open: undefined,
      });
      const { appearance } = session.deck.screen;
      if (background !== undefined) appearance.setBackground(background);
      else if (asksBackground()) keys.requestBackground();
      stopFollowing = followTerminal(session.deck);
      begin(session);
      return session.deck;
    });
  }
}

/** Milliseconds from the first data to the early parts: the code cache is written before. */
const earlyPartsDelay = 1000;

/** Loads what must not be missing later, when no file can be opened or the program was replaced. */
async function loadEarly({ deck }: Session): Promise<void> {
  await firstAnswer(deck);
  const wait = (ms: number) => new Promise<void>((resolve) => void deck.clock.after(ms, resolve));
  await wait(earlyPartsDelay);
  while (!(await loadEarlyParts(() => deck.keyPause.workTurn()))) await untilPartsMayLoad();
}

/** Tells the person that a part of the program can't be loaded; false for any other error. */
function reportUnloadedPart(error: unknown, deck: Pick<Deck, 'messages'>): boolean {
  if (!(error instanceof PartError)) return false;
  deck.messages.say(error.message, 'bad');
  return true;
}

/** Follows the rules of a session once their code is loaded. Returns the function that ends it. */
function followAlertRules(
  { deck, client, service }: Session,
  rules: readonly AlertRule[],
  terminal: AlertTerminal,
): () => void {
  let hasEnded = false;
  let end = (): void => {};
  const follow = async (): Promise<void> => {
    const { followRules } = await ruleFollower();
    if (!hasEnded) end = followRules(deck, client, service.baseUrl, rules, terminal);
  };
  if (rules.length > 0) void follow();
  return () => {
    hasEnded = true;
    end();
  };
}

/** Loads the address book after the first list, which has the first addresses. */
async function nameAddresses(deck: Deck, configFolder: string): Promise<void> {
  await firstAnswer(deck);
  // The list is drawn first.
  await new Promise(setImmediate);
  const part = await loadedOrNone(addressBook);
  await part?.loadAddressBook(deck, configFolder);
}

async function reportStarted(deck: Deck, onStarted: (() => void) | undefined): Promise<void> {
  await firstAnswer(deck);
  if (deck.deployments.list.state.getState().loadedAt !== undefined) onStarted?.();
}

/** Says what is wrong in the configuration: the first of it on the screen, all of it in the history. */
function sayWarnings({ deck, service }: Session, warnings: readonly ConfigProblem[]): void {
  const texts = warnings.map(({ sentence, next }) => `${sentence} ${next}`.trim());
  const [first, ...others] = service.notice === undefined ? texts : [service.notice, ...texts];
  if (first === undefined) return;
  for (const text of others.toReversed()) deck.messages.say(text);
  deck.messages.say(others.length === 0 ? first : `${first} ${others.length} more: :history.`);
}

/** Returns whether a terminal may be asked for its background. Older ones would print the request. */
export function canAskBackground(env: NodeJS.ProcessEnv): boolean {
  return colourDepth(env) !== 'none' && terminalTraits(env).alternateScreen;
}

/**
 * Passes the terminal's background to the deck, first as far as the environment tells it, and requests
 * it when a person chooses `auto`. Returns the function that stops it.
 */
export function followBackground(
  { screen }: Pick<Deck, 'screen'>,
  keys: Pick<Keys, 'onAnswer' | 'requestBackground'>,
  canAsk: boolean,
  env = process.env,
): () => void {
  const known = knownBackground(env);
  if (known !== undefined) screen.appearance.setBackground(known);
  const stopListening = keys.onAnswer((answer) => {
    if (answer.kind === 'background') {
      screen.appearance.setBackground(backgroundTone(answer.colour));
    }
  });
  const unsubscribe = screen.subscribe(({ theme }, before) => {
    if (theme === 'auto' && before.theme !== 'auto' && canAsk) keys.requestBackground();
  });
  return () => {
    stopListening();
    unsubscribe();
  };
}

const externalEditor = lazyPart(() => import('../desktop/external-editor.ts'));
const linePipe = lazyPart(() => import('../desktop/pipe-lines.ts'));

/** Returns the editor of `$EDITOR`, and the commands that lines are piped to. */
function lentPrograms(guard: TerminalGuard): Pick<MountOptions, 'hand' | 'pipe'> {
  return {
    hand: (text, name) =>
      guard.lendTerminal(async () => {
        const { handToEditor } = await externalEditor();
        return handToEditor(text, name);
      }),
    pipe: (command, texts) =>
      guard.lendTerminal(async () => {
        const { pipeLines } = await linePipe();
        return pipeLines(command, texts);
      }),
  };
}

/** Switches reports of the mouse with the setting of a deck. Returns the function that stops it. */
export function followMouse(
  { screen }: Pick<Deck, 'screen'>,
  keys: Pick<Keys, 'setMouse'>,
): () => void {
  keys.setMouse(screen.getState().hasMouse);
  return screen.subscribe(({ hasMouse }, before) => {
    if (hasMouse !== before.hasMouse) keys.setMouse(hasMouse);
  });
}

const speakerPart = lazyPart(() => import('../view/shell/spoken/speaker.ts'));

/** The screen, and the speaker that says what changes on it where nobody sees it. */
interface OpenedScreen {
  readonly screen: TerminalScreen;
  readonly speaker: Speaker | undefined;
}

/** Creates the screen that draws on the terminal, or the one that a screen reader is told about. */
async function openScreen(options: {
  readonly output: TerminalOutput;
  readonly traits: TerminalTraits;
  readonly screenReader: boolean;
  readonly commands?: Commands | undefined;
}): Promise<OpenedScreen> {
  const { output, traits, commands } = options;
  if (!options.screenReader) {
    const screen = createTerminalScreen({ output, terminal: process.stdout, traits });
    return { screen, speaker: undefined };
  }
  const { createSpeaker } = await speakerPart();
  const write = (lines: string): void => screen.writeThrough(lines);
  const speaker = createSpeaker({ write, size: unseenSize, commands });
  const screen = createUnseenScreen({ output, repeat: () => speaker.repeat() });
  return { screen, speaker };
}
