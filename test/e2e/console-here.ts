import path from 'node:path';
import { Writable } from 'node:stream';
import type { IPty } from '@lydell/node-pty';
import type { Client } from '../../source/client/client.ts';
import { readConfigFile } from '../../source/config/read-config-file.ts';
import { foldersOf } from '../../source/config/environment.ts';
import { readProofSeconds } from '../../source/config/proof-length.ts';
import { readRestartDelay } from '../../source/config/restart-delay.ts';
import { chooseService } from '../../source/config/service-target.ts';
import { createClipboard } from '../../source/desktop/clipboard.ts';
import { loadAddressBook } from '../../source/disk/address-book.ts';
import { firstAnswer } from '../../source/start/first-answer.ts';
import { loadView } from '../../source/start/load-view.ts';
import { canAskBackground, followBackground, followMouse } from '../../source/start/start.ts';
import { findOpenedDeployment } from '../../source/start/opened-deployment.ts';
import { createServices } from '../../source/start/services.ts';
import { connect, openSession, type Session as Opened } from '../../source/start/session.ts';
import { onlyConnection } from '../../source/store/deck/connection.ts';
import { createKeys } from '../../source/terminal/keys/keys.ts';
import { createTerminalOutput, type TerminalOutput } from '../../source/terminal/link/output.ts';
import { colourDepth } from '../../source/terminal/screen/colour.ts';
import { createTerminalScreen, type TerminalScreen } from '../../source/terminal/screen/screen.ts';
import { createUnseenScreen, unseenSize } from '../../source/terminal/screen/unseen-screen.ts';
import { terminalTraits } from '../../source/terminal/traits.ts';
import type { Handed } from '../../source/view/command/action.ts';
import type { Speaker } from '../../source/view/shell/spoken/speaker.ts';
import { unicodeGlyphs } from '../../source/view/text/glyphs.ts';
import { FakeInput } from '../terminal/fake-terminal.ts';
import type { Pty, PtyOptions } from './harness.ts';

const entry = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** The output of a terminal that hands on what is written to it. */
class Output extends Writable {
  readonly isTTY = true;
  readonly fd = -1;
  columns: number;
  rows: number;
  readonly #listeners: ((data: string) => void)[] = [];

  constructor({ cols, rows }: PtyOptions) {
    super({ decodeStrings: false });
    this.columns = cols;
    this.rows = rows;
  }

  onText(listener: (data: string) => void): void {
    this.#listeners.push(listener);
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    // The driver of a terminal puts a return before each line feed that a program writes (termios, ONLCR).
    const text = chunk.toString().replaceAll(/(?<!\r)\n/g, '\r\n');
    for (const listener of this.#listeners) listener(text);
    done();
  }

  asStream(): NodeJS.WriteStream & { fd: number } {
    return this as unknown as NodeJS.WriteStream & { fd: number };
  }
}

/** Stands for the editor of `$EDITOR`. */
export type Editor = (text: string, name: string) => Handed;

interface OpenedScreen {
  readonly screen: TerminalScreen;
  readonly speaker: Speaker | undefined;
}

/**
 * The console in this process, on the parts that `source/start/start.ts` joins, for `launch`: without
 * the start of a program, which takes most of the time of a test that looks at panes and presses keys.
 * What signals, the end of a process or the first frame do is left to tests with the program.
 */
class ConsoleHere implements Pty {
  /** A signal to this process would end the tests. */
  get pid(): never {
    throw new Error('A test of signals needs the program.');
  }

  readonly #input = new FakeInput();
  readonly #output: Output;
  readonly #ended = Promise.withResolvers<{ exitCode: number; signal?: number }>();
  readonly #leaving = new Set<() => Promise<void> | void>();
  readonly #editor: Editor;
  #hasEnded = false;

  constructor(options: PtyOptions, editor: Editor) {
    this.#editor = editor;
    this.#output = new Output(options);
    void this.#run(options).catch((error: unknown) => {
      this.#output.write(String(error));
      this.#end(1);
    });
  }

  onData(listener: (data: string) => void): void {
    this.#output.onText(listener);
  }

  onExit(listener: Parameters<IPty['onExit']>[0]): void {
    void this.#ended.promise.then(listener);
  }

  write(data: string): void {
    this.#input.write(data);
  }

  resize(cols: number, rows: number): void {
    Object.assign(this.#output, { columns: cols, rows });
    this.#output.emit('resize');
  }

  /** Ends it as it is: nothing is settled. */
  kill(): void {
    void (async () => {
      for (const leave of [...this.#leaving].toReversed()) await leave();
      this.#end(0, 9);
    })();
  }

  pause(): void {}
  resume(): void {}

  #end(exitCode: number, signal?: number): void {
    this.#hasEnded = true;
    this.#ended.resolve(signal === undefined ? { exitCode } : { exitCode, signal });
  }

  async #open({ env, args }: PtyOptions): Promise<Opened> {
    const home = env['HOME'] ?? '';
    const folders = foldersOf(env, home);
    const config = valueOf(await readConfigFile(folders.config, home));
    const choice = valueOf(chooseService(env, { baseUrl: undefined, profile: undefined }, config));
    const restartDelay = valueOf(readRestartDelay(env));
    const proofSeconds = valueOf(readProofSeconds(env));
    const services = createServices({
      config,
      choice,
      restartDelay,
      proofSeconds,
      env,
      folders,
      entry,
    });
    const { service, ...settings } = valueOf(await services.first());
    const connected = connect(service);
    return openSession(connected, {
      ...settings,
      open: await openedId(connected.client, args),
      stateFolder: folders.state,
      connection: onlyConnection,
      defaultViews: { theme: config.theme ?? 'auto', hasBell: config.bell ?? true },
      size: this.#output,
      screenReader: isSpoken(args),
    });
  }

  /** Returns the screen that is drawn, or the one that a speaker tells a screen reader about. */
  async #openScreen({ env, args }: PtyOptions, output: TerminalOutput): Promise<OpenedScreen> {
    if (!isSpoken(args)) {
      const traits = terminalTraits(env);
      const screen = createTerminalScreen({ output, terminal: this.#output, traits });
      return { screen, speaker: undefined };
    }
    const write = (lines: string): void => screen.writeThrough(lines);
    // Programs that Node runs without a bundler import this module, too, and no Ink with it.
    const { createSpeaker } = await import('../../source/view/shell/spoken/speaker.ts');
    const speaker = createSpeaker({ write, size: unseenSize });
    const screen = createUnseenScreen({ output, repeat: () => speaker.repeat() });
    return { screen, speaker };
  }

  async #run(options: PtyOptions): Promise<void> {
    const { env, args } = options;
    const session = await this.#open(options);
    this.#leaving.add(async () => {
      session.deck.stop();
      session.service.leave();
      await session.client.close();
    });
    const traits = terminalTraits(env);
    const output = createTerminalOutput(this.#output.asStream(), traits);
    const canAsk = !isSpoken(args) && canAskBackground(env);
    const asksBackground = () => canAsk && session.deck.screen.getState().theme === 'auto';
    const hasModes = !isSpoken(args);
    const keys = createKeys({ input: this.#input.asStream(), output, asksBackground, hasModes });
    const { screen, speaker } = await this.#openScreen(options, output);
    const { mount } = await loadView();
    if (this.#hasEnded) return;
    keys.onAnswer((answer) => {
      if (answer.kind === 'status') screen.recordAnswer();
    });
    this.#leaving.add(followBackground(session.deck, keys, canAsk, env));
    if (!isSpoken(args)) this.#leaving.add(followMouse(session.deck, keys));
    screen.start();
    keys.start();
    session.start();
    const folders = foldersOf(env, env['HOME'] ?? '');
    void firstAnswer(session.deck).then(() => loadAddressBook(session.deck, folders.config));
    const nothing = () => Promise.reject(new Error('A test of another program needs the program.'));
    const view = mount({
      deck: session.deck,
      keys,
      screen,
      speaker,
      colours: colourDepth(env),
      glyphs: unicodeGlyphs,
      stop: () => void nothing(),
      hand: async (text, name) => this.#editor(text, name),
      pipe: nothing,
      clipboard: createClipboard({
        stateFolder: folders.state,
        env,
        pass: (bytes) => screen.writeThrough(bytes),
        away: (run) => run(),
      }),
    });
    this.#leaving.add(() => {
      screen.pause();
      keys.stop();
      view.unmount();
    });
    await view.gone;
    if (this.#hasEnded) return;
    screen.pause();
    await keys.leave();
    await session.leave();
    output.leave();
    this.#end(0);
  }
}

/** Returns the id of the deployment that a command line opens: `logs NAME`. */
async function openedId(client: Client, [command, name]: readonly string[]) {
  if (command !== 'logs' || name === undefined) return undefined;
  const found = await findOpenedDeployment(client, name);
  if (found.ok) return found.id;
  throw new Error(found.lines.join('\n'));
}

function isSpoken(args: readonly string[]): boolean {
  return args.includes('--screen-reader');
}

const noEditor: Editor = () => {
  throw new Error('A test of another program needs the program.');
};

/** Runs the console of `launch` in this process, spoken where `args` has `--screen-reader`. */
export const here = (options: PtyOptions, editor = noEditor): Pty =>
  new ConsoleHere(options, editor);

function valueOf<T>(
  read: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: object },
): T {
  if (read.ok) return read.value;
  throw new Error(JSON.stringify(read.problem));
}
