import { launch, type Session } from '../e2e/harness.ts';
import { markOf } from './log-texts.ts';
import { startTorrent, type Torrent } from './torrent.ts';

/** The console that follows a log, at 200x50, and the service that writes it when it is told. */
export interface TailConsole extends AsyncDisposable {
  readonly torrent: Torrent;
  readonly session: Session;
}

/**
 * @param length bytes of a line's text.
 * @param more environment of the console.
 * @returns when it follows.
 */
export async function startTail(
  length: number,
  more: Readonly<Record<string, string>> = {},
): Promise<TailConsole> {
  const torrent = await startTorrent(length);
  const session = launch({ cols: 200, rows: 50, env: { ...environmentOf(torrent), ...more } });
  await session.waitFor('req=');
  await session.waitFor(/live \d/);
  return {
    torrent,
    session,
    async [Symbol.asyncDispose]() {
      await session.close();
      await torrent[Symbol.asyncDispose]();
    },
  };
}

/** Points a program at the service. */
export function environmentOf({ baseUrl }: Torrent): Readonly<Record<string, string>> {
  return { HOSTDECK_BASE_URL: baseUrl, HOSTDECK_TOKEN: 'bench' };
}

/** Waits until a line is on the screen; gives when it came there, ms (`performance.now`). */
export async function shown(session: Session, line: number): Promise<number> {
  await session.waitFor(markOf(line));
  return session.arrival;
}

/** Has the log fill the screen, and take the keys. */
export async function fullscreen(session: Session): Promise<void> {
  session.press('4');
  await session.waitFor('[4 Logs');
  session.press('f');
  await session.waitFor(({ screen }) => !screen.includes('1 Deployments'));
}
