import { setTimeout as sleep } from 'node:timers/promises';
import { type Foreign, type ForeignOptions, startForeign } from '../servers/foreign.ts';
import { here } from './console-here.ts';
import { launch, type LaunchOptions, type Session } from './harness.ts';

/** The console in a terminal, on a foreign service. */
export interface ForeignConsole extends AsyncDisposable {
  readonly foreign: Foreign;
  readonly session: Session;
}

/** Environment that points the program at the service. */
export function environmentOf(foreign: Foreign): Readonly<Record<string, string>> {
  return { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token };
}

export interface ForeignConsoleOptions extends LaunchOptions {
  readonly service?: Partial<ForeignOptions>;
  /** Runs on the service before the console is there. */
  readonly prepare?: (foreign: Foreign) => Promise<void> | void;
}

/** Starts a service, and the console in this process. */
export function openOnForeign(options: ForeignConsoleOptions = {}): Promise<ForeignConsole> {
  return launchOnForeign({ ...options, run: here });
}

/** Starts a service, and the program. */
export async function launchOnForeign(
  options: ForeignConsoleOptions = {},
): Promise<ForeignConsole> {
  const foreign = await startForeign(options.service);
  await options.prepare?.(foreign);
  const session = launch({ ...options, env: { ...environmentOf(foreign), ...options.env } });
  return {
    foreign,
    session,
    async [Symbol.asyncDispose]() {
      await session.close();
      await foreign.close();
    },
  };
}

/** Makes a deployment with one service `web` on the service. */
export async function createDeployment(foreign: Foreign, name: string): Promise<void> {
  const answer = await fetch(`${foreign.baseUrl}/api/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${foreign.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sdl: JSON.stringify({ name, services: { web: { image: 'nginx' } } }) }),
  });
  if (!answer.ok) throw new Error(`create deployment answered ${answer.status}`);
}

/**
 * Milliseconds in which a key that was taken is seen, on a slow machine too: another one would reach what is
 * behind. Few keys come too early to be taken.
 */
export const redrawn = 2000;

/** The same for the keys that quit, well within the life of its question; one more of it does no harm. */
const quitRedrawn = 1000;

/**
 * Presses a key until the screen shows what it does, and again while nothing comes of it: for keys
 * that only count once what they answer could be read.
 */
export async function pressUntil(
  session: Session,
  key: string,
  done: (session: Session) => boolean,
): Promise<void> {
  const wait = ['q', 'ctrl+c'].includes(key) ? quitRedrawn : redrawn;
  const shown = session.waitFor(done).then(() => true);
  for (let isDone = done(session); !isDone; ) {
    session.press(key);
    isDone = await Promise.race([shown, sleep(wait, false)]);
  }
}
