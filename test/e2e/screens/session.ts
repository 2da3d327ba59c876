import { expect } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import { type Editor, here } from '../console-here.ts';
import { Home } from '../harness-home.ts';
import { launch, type PtyOptions, type Session } from '../harness.ts';
import { readService, type ScreenFixture, type sizes, type Step } from './fixture.ts';
import { keepWork } from './kept-work.ts';
import type { RoleOf } from './roles.ts';
import { StoppedClock } from './stopped-clock.ts';

/** Answers as our host does. */
const ownHost = {
  prefix: '',
  envelope: 'named',
  fieldCase: 'camel',
  files: 'records',
  logIds: 'dense',
  logOrder: 'newest',
  errors: 'message',
  chatter: 'none',
  filesAt: Date.parse('2026-11-20T08:00:00Z'),
} as const;

/** The roles of cells can be told apart in a theme with colours of its own. */
export const black = { colour: 'rgb:0000/0000/0000' };
export const white = { colour: 'rgb:ffff/ffff/ffff' };

export interface ScreenOptions {
  /** The terminal's ground. */
  readonly background?: typeof black;
  readonly args?: readonly string[];
  readonly editor?: Editor;
  /** Milliseconds from which a timer waits until the test moves the clock. */
  readonly waitsFrom?: number;
}

/** A console on the service of a fixture, at a time that only the fixture moves. */
export class ScreenSession implements AsyncDisposable {
  readonly session: Session;
  readonly #clock: StoppedClock;
  readonly service: Foreign;
  readonly #home: Home;
  readonly #folder: string;

  private constructor(
    session: Session,
    clock: StoppedClock,
    service: Foreign,
    home: Home,
    folder: string,
  ) {
    this.session = session;
    this.#clock = clock;
    this.service = service;
    this.#home = home;
    this.#folder = folder;
  }

  /** Starts the program and takes all steps of the fixture. */
  static async start(
    fixture: Omit<ScreenFixture, 'screens'>,
    [cols, rows]: readonly [number, number],
    { background = black, args = [], editor, waitsFrom }: ScreenOptions = {},
  ) {
    const { now, wallet, records } = readService(fixture.service);
    const home = new Home();
    const clock = new StoppedClock(Date.parse(now), waitsFrom);
    const options = { ...ownHost, ...fixture.answers };
    const service = await startForeign({ ...options, wallet, records, now: () => clock.now });
    await keepWork(home, service.baseUrl, fixture.kept ?? {}, clock.now);
    const env = {
      HOSTDECK_BASE_URL: service.baseUrl,
      HOSTDECK_TOKEN: service.token,
      HOSTDECK_WALLET: wallet,
      ...fixture.env,
    };
    // Downloads go into the folder in which the console was started.
    const folder = process.cwd();
    process.chdir(home.env['HOME'] ?? home.folder);
    const run = (options: PtyOptions) => here(options, editor);
    const session = launch({ run, args, env, cols, rows, home, background });
    const screen = new ScreenSession(session, clock, service, home, folder);
    try {
      for (const step of fixture.steps) await screen.take(step);
    } catch (error) {
      await screen[Symbol.asyncDispose]();
      throw error;
    }
    return screen;
  }

  /** Returns the rows, each followed by the roles of its cells, or alone. */
  rows(roleOf: RoleOf | undefined): readonly string[] {
    const { terminal } = this.session;
    if (roleOf === undefined) return terminal.rows.map(withoutPort);
    return terminal.rows.flatMap((text, y) => {
      const cells = Array.from({ length: terminal.cols }, (_, x) => terminal.cell(x, y));
      return [withoutPort(text), cells.map(roleOf).join('').replace(/\.+$/, '')];
    });
  }

  /** Moves the clock on by so many ms. */
  advance(milliseconds: number): void {
    this.#clock.advance(milliseconds);
  }

  /** Whether a timer runs that does not wait until the test moves the clock. */
  get hasTimer(): boolean {
    return this.#clock.hasRunning;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    await this.service.close();
    process.chdir(this.#folder);
    this.#home.remove();
    this.#clock[Symbol.dispose]();
  }

  async take(step: Step): Promise<void> {
    const { session } = this;
    if ('press' in step) session.press(...step.press);
    else if ('type' in step) session.type(step.type);
    else if ('advance' in step) this.advance(step.advance);
    else if ('put' in step) this.service.put(...step.put);
    else if ('append' in step) this.#append(...step.append);
    else if ('spend' in step) this.#spend(...step.spend);
    else if ('away' in step) await this.service.away();
    else if ('asked' in step) await this.#waitForRequests(...step.asked);
    else if ('see' in step) await session.waitFor(step.see);
    else await session.waitFor(({ screen }) => !screen.includes(step.gone));
  }

  #append(deployment: string, service: string, text: string, times: number): void {
    for (let written = 0; written < times; written += 1) {
      this.service.append(deployment, service, text);
    }
  }

  #spend(id: string, spent: number): void {
    const grant = this.service.grants.get(id);
    if (grant !== undefined) this.service.grants.set(id, { ...grant, spent });
  }

  #waitForRequests(end: string, count: number): Promise<void> {
    const isAsked = () =>
      this.service.requests.filter(({ path }) => path.endsWith(end)).length >= count;
    return waitFor(() => expect(isAsked()).toBe(true));
  }
}

/** Replaces the port, which is another one each time, by one of as many digits. */
export function withoutPort(text: string): string {
  return text.replaceAll(/(?<=127\.0\.0\.1:)\d{5}/g, '46763');
}

/** Returns columns and rows of a size such as `80x24`. */
export function sizeOf(name: (typeof sizes)[number]): readonly [number, number] {
  const [cols = 0, rows = 0] = name.split('x').map(Number);
  return [cols, rows];
}
