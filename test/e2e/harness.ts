// A test may stop the clock of this process, but not the patience with it.
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import { Home, type Survivor } from './harness-home.ts';
import { keyBytes } from './harness-keys.ts';
import { Recording } from './harness-recording.ts';
import { ObservedTerminal } from './harness-terminal.ts';
import { type LinkOptions, SlowLink } from '../servers/slow-link.ts';
import { patience } from '../support/wait-for.ts';

const builtProgram = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

// eslint-disable-next-line no-control-regex
const updateEnd = /(?<=\x1b\[\?2026l)/;

export interface LaunchOptions {
  readonly args?: readonly string[];
  /**
   * Added to a clean environment: PATH, TERM=xterm-256color, LANG=C.UTF-8, HOSTDECK_PROOF=off and the
   * home's.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly cols?: number;
  readonly rows?: number;
  readonly cwd?: string;
  /** Milliseconds that the terminal's answers are on their way, as over a slow link. */
  readonly answerDelay?: number;
  /** Background that the terminal reports, and what it waits for; by default it reports none. */
  readonly background?: { readonly colour: string; readonly after?: Promise<void> };
  /** A slow way between the program and the terminal. */
  readonly link?: LinkOptions;
  /** The script that Node runs. Default: `dist/cli.js`. */
  readonly script?: string;
  /** The whole command before `args`, in place of Node and the script: npm, a shell. */
  readonly command?: readonly [string, ...string[]];
  /** Runs it in the pseudo-terminal's place; by default a process does. */
  readonly run?: (options: PtyOptions) => Pty;
  /** Folders shared with other sessions, removed by the caller; else the session has its own. */
  readonly home?: Home;
}

/** A terminal's side of a program. */
export interface Pty extends Pick<IPty, 'pid' | 'write' | 'kill' | 'pause' | 'resume'> {
  onData(listener: (data: string) => void): unknown;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): unknown;
  resize(cols: number, rows: number): void;
}

export interface PtyOptions {
  readonly cols: number;
  readonly rows: number;
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
}

/** The end of a program: its exit code, or the number of the signal that killed it. */
export interface Exit {
  readonly code: number;
  readonly signal: number | undefined;
}

/** A condition to wait for: text or a pattern on the screen, or anything that becomes true. */
export type Condition = string | RegExp | ((session: Session) => unknown);

/** Starts a program in a pseudo-terminal of its own. Close it, or declare it with `await using`. */
export function launch(options: LaunchOptions = {}): Session {
  return new Session(options);
}

export class Session implements AsyncDisposable {
  readonly terminal: ObservedTerminal;
  readonly home: Home;
  /** Resolves when the program has ended and all it wrote is on the screen. */
  readonly exited: Promise<Exit>;
  /** Everything the program wrote. */
  transcript = '';
  /** Characters of `transcript` that are on the screen. */
  #shown = 0;
  /** Arrival time of the last output that is on the screen, ms (`performance.now`). */
  arrival = 0;
  readonly #pty: Pty;
  readonly #recording: Recording | undefined;
  readonly #link: SlowLink | undefined;
  readonly #ownsHome: boolean;
  readonly #checks = new Set<() => void>();
  readonly #records = new Set<(data: string) => void>();
  #exit: Exit | undefined;
  #vanished = false;
  #heldAnswers: string[] | undefined;
  #parsed: Promise<void> = Promise.resolve();

  constructor(options: LaunchOptions) {
    const { cols = 80, rows = 24, script = builtProgram, args = [], env = {} } = options;
    const [file, ...before] = options.command ?? [process.execPath, script];
    this.#ownsHome = options.home === undefined;
    this.home = options.home ?? new Home();
    this.terminal = new ObservedTerminal(cols, rows);
    this.#recording = Recording.begin(cols, rows);
    const name = env['TERM'] ?? 'xterm-256color';
    const cwd = options.cwd ?? this.home.env['HOME'] ?? this.home.folder;
    const ptyOptions = {
      cols,
      rows,
      args,
      env: {
        PATH: process.env['PATH'],
        LANG: 'C.UTF-8',
        HOSTDECK_PROOF: 'off',
        ...this.home.env,
        ...env,
      },
    };
    this.#pty =
      options.run?.({ ...ptyOptions, env: { ...ptyOptions.env, TERM: name } }) ??
      spawn(file, [...before, ...args], { cols, rows, env: ptyOptions.env, name, cwd });
    const { answerDelay, background } = options;
    this.terminal.onBackgroundRequest(() => {
      if (background === undefined) return;
      const answer = () => this.#write(`\x1b]11;${background.colour}\x1b\\`);
      if (background.after === undefined) answer();
      else void background.after.then(answer);
    });
    this.terminal.onAnswer((answer) => {
      if (this.#heldAnswers !== undefined) this.#heldAnswers.push(answer);
      else if (answerDelay === undefined) this.#write(answer);
      else setTimeout(() => this.#write(answer), answerDelay);
    });
    this.#link =
      options.link &&
      new SlowLink(options.link, {
        pause: () => this.#pty.pause(),
        resume: () => this.#pty.resume(),
        show: (data) => this.#show(data),
        type: (data) => this.#send(data),
      });
    this.#pty.onData((data) => {
      if (this.#link === undefined) this.#show(data);
      else this.#link.down(data);
    });
    this.exited = this.#end();
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Whether all that the program wrote is on the screen. */
  get isShown(): boolean {
    return this.#shown === this.transcript.length;
  }

  /** The screen as text, rows without the spaces at their ends. */
  get screen(): string {
    return this.terminal.rows.join('\n');
  }

  /**
   * Presses keys by name, all in one write, as they arrive when typed fast over a slow link. Esc
   * must come last: what follows it at once is read as Alt.
   */
  press(...keys: readonly string[]): void {
    if (keys.slice(0, -1).includes('escape')) throw new Error('press Esc last, then wait');
    const { applicationCursorKeys } = this.terminal.modes;
    this.#write(keys.map((key) => keyBytes(key, applicationCursorKeys)).join(''));
  }

  /**
   * Waits until output that arrives from now on is on the screen and holds. Searching the transcript
   * instead would copy all of it for each piece of output.
   */
  async waitForOutput(holds: (output: string) => boolean): Promise<void> {
    let late = this.transcript.length - this.#shown;
    let output = '';
    const record = (data: string): void => {
      output += data.slice(late);
      late = Math.max(0, late - data.length);
    };
    this.#records.add(record);
    try {
      await this.waitFor(() => holds(output));
    } finally {
      this.#records.delete(record);
    }
  }

  /** Types the characters of a text, in one write. */
  type(text: string): void {
    this.#write(text);
  }

  /** Pastes as a terminal does: line ends as CR, bracketed when the program asked for it. */
  paste(text: string): void {
    const sent = text.replaceAll(/\r?\n/g, '\r');
    const { bracketedPaste } = this.terminal.modes;
    this.#write(bracketedPaste ? `\x1b[200~${sent}\x1b[201~` : sent);
  }

  /** Clicks the left button on a cell, by column and row from 0, in SGR reports. */
  click({ x, y }: { readonly x: number; readonly y: number }): void {
    this.#write(`\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`);
  }

  /** Keeps the terminal's answers back until {@link releaseAnswers}, as a slow link does. */
  holdAnswers(): void {
    this.#heldAnswers = [];
  }

  releaseAnswers(): void {
    const held = this.#heldAnswers ?? [];
    this.#heldAnswers = undefined;
    for (const answer of held) this.#write(answer);
  }

  resize(cols: number, rows: number): void {
    this.terminal.resize(cols, rows);
    this.#recording?.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** Waits until the program reads keys, not lines: what is sent before that is lost. */
  async ready(): Promise<void> {
    await this.waitFor((session) => session.terminal.modes.bracketedPaste);
  }

  /**
   * Waits until the condition holds, looked at after each output that is on the screen whole (not
   * within a synchronized update). Fails when the program ends first, or when nothing came of it
   * for `limit` ms; the failure shows the screen.
   */
  waitFor(condition: Condition, limit = patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
        this.#recording?.mark();
        if (error === undefined) resolve();
        else reject(error);
      };
      const check = (): void => {
        if (this.#holds(condition)) settle();
        else if (this.#exit !== undefined) settle(this.#failure(condition, 'the program ended'));
      };
      const timer = setTimeout(
        () => settle(this.#failure(condition, `${limit / 1000} s have passed`)),
        limit,
      );
      this.#checks.add(check);
      if (!this.terminal.modes.synchronizedOutput) check();
    });
  }

  /** Cell of the first character of `text` on the screen; fails when it is not there. */
  find(text: string): { x: number; y: number } {
    for (const [y, row] of this.terminal.rows.entries()) {
      const index = row.indexOf(text);
      if (index === -1) continue;
      let x = 0;
      while (this.terminal.row(y, 0, x).length < index) x++;
      return { x, y };
    }
    throw this.#failure(text, 'it was looked for');
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Takes the terminal away, as a dropped connection does: reading and writing it fail. */
  vanish(): void {
    this.#vanished = true;
    (this.#pty as Pty & { destroy(): void }).destroy();
  }

  survivors(): Survivor[] {
    return this.home.survivors();
  }

  /** Ends the program, and whatever else the session started unless its home is shared. */
  async close(): Promise<void> {
    if (this.#exit === undefined) {
      this.#pty.kill('SIGKILL');
      await this.exited;
    }
    if (this.#ownsHome) this.home.remove();
    this.terminal.dispose();
    this.#recording?.save();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #write(data: string): void {
    if (this.#link === undefined) this.#send(data);
    else this.#link.up(data);
  }

  #send(data: string): void {
    if (this.#exit === undefined && !this.#vanished) this.#pty.write(data);
  }

  #show(data: string): void {
    this.transcript += data;
    const arrival = performance.now();
    // Each synchronized update is on the screen when it ends, though the next begins at once.
    for (const part of data.split(updateEnd)) {
      this.#parsed = this.#parse(this.#parsed, part, arrival);
    }
  }

  async #parse(before: Promise<void>, data: string, arrival: number): Promise<void> {
    await before;
    await this.terminal.write(data);
    this.#recording?.output(data);
    this.#shown += data.length;
    for (const record of this.#records) record(data);
    this.arrival = arrival;
    if (!this.terminal.modes.synchronizedOutput) this.#check();
  }

  async #end(): Promise<Exit> {
    const exit = await new Promise<Exit>((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) =>
        resolve({ code: exitCode, signal: signal || undefined }),
      );
    });
    await this.#parsed;
    this.#exit = exit;
    this.#check();
    return exit;
  }

  #check(): void {
    for (const check of this.#checks) check();
  }

  #holds(condition: Condition): boolean {
    if (typeof condition === 'string') return this.screen.includes(condition);
    if (condition instanceof RegExp) return condition.test(this.screen);
    return Boolean(condition(this));
  }

  #failure(condition: Condition, why: string): Error {
    const { cursor, modes, rows, cols, events } = this.terminal;
    const border = '─'.repeat(cols);
    const framed = rows.map((_, y) => `│${this.terminal.row(y)}│`);
    const exit = this.#exit === undefined ? 'running' : JSON.stringify(this.#exit);
    return new Error(
      [
        `${why}, but this is not on the screen: ${String(condition)}`,
        `┌${border}┐`,
        ...framed,
        `└${border}┘`,
        `cursor ${cursor.x},${cursor.y}; ${exit}; ${JSON.stringify(modes)}`,
        `events ${JSON.stringify(events.slice(-5))}`,
      ].join('\n'),
    );
  }
}
