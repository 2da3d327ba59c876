import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { boxAnswersAfter } from '../../source/store/deck/screen/overlay.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../servers/foreign.ts';
import { here } from './console-here.ts';
import { environmentOf, pressUntil } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { launch, type LaunchOptions, type Session } from './harness.ts';

/** A foreign service and the folders of a person, for one console after the other. */
export interface Desk {
  readonly foreign: Foreign;
  /** Starts the next console, in this process, and waits for its log. */
  readonly start: (options?: LaunchOptions) => Promise<Session>;
  /** Starts the program instead: one that is killed, or follows one that was. */
  readonly startProgram: (options?: LaunchOptions) => Promise<Session>;
  /** Returns the text that the service has for a file of the sample's service `web`. */
  readonly stored: (path: string) => string | undefined;
  /** Somebody else writes such a file. */
  readonly strangerPuts: (path: string, content: string) => void;
  /** Writes of this kind that the service has got. */
  readonly puts: () => number;
  /** All that is kept of drafts on this machine, as it is. */
  readonly keptDrafts: () => string;
  /** Whether this text is put aside there. */
  readonly isTrashed: (text: string) => boolean;
  readonly restarts: (deploymentId?: string) => number;
  /** Restarts of which this machine keeps records. */
  readonly provedRestarts: () => number;
}

export async function openDesk(service: Partial<ForeignOptions> = {}): Promise<Desk> {
  const foreign = await startForeign({ pathForm: 'both', ...service });
  const home = new Home();
  onTestFinished(async () => {
    home.remove();
    await foreign.close();
  });
  const counted = (method: string, end: RegExp) =>
    foreign.requests.filter((seen) => seen.method === method && end.test(seen.path)).length;
  async function startProgram({ env, ...options }: LaunchOptions = {}): Promise<Session> {
    const session = launch({ home, ...options, env: { ...environmentOf(foreign), ...env } });
    await session.waitFor(/4 Logs bazaar/);
    return session;
  }
  return {
    foreign,
    start: (options) => startProgram({ ...options, run: here }),
    startProgram,
    stored: (name) => foreign.stored(foreign.sample, 'web', name)?.toString(),
    strangerPuts: (name, content) => foreign.put(foreign.sample, 'web', name, content),
    keptDrafts: () => filesBelow(path.join(home.folder, 'state', 'hostdeck', 'drafts'), '.draft'),
    isTrashed: (text) => {
      const kept = filesBelow(path.join(home.folder, 'state', 'hostdeck', 'trash'));
      return kept.includes(text) || kept.includes(Buffer.from(text).toString('base64'));
    },
    puts: () => counted('PUT', /\/files\//),
    restarts: (id = '') => counted('POST', new RegExp(`${id}/restart$`)),
    provedRestarts: () => {
      const kept = path.join(home.folder, 'state', 'hostdeck', 'proofs');
      const names = existsSync(kept) ? readdirSync(kept, { recursive: true }) : [];
      return names.filter((name) => String(name).endsWith('.json')).length;
    },
  };
}

/** Returns the texts of the files whose names end so; a file that is being written ends otherwise. */
function filesBelow(folder: string, end = ''): string {
  if (!existsSync(folder)) return '';
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(end));
  return files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name))).join('\n');
}

/** Goes to a file of the opened service by its name. */
export async function goToFile(session: Session, name: string): Promise<void> {
  session.press('2');
  // With the number of its files, the tree is there: a name typed before finds no row to go to.
  await session.waitFor(/\[2 Files \S+ \d/);
  session.press('/', 'ctrl+u');
  session.type(name);
  session.press('enter');
  await session.waitFor((now) => new RegExp(`>[o ] +${name}`).test(now.screen));
}

/** Opens a file in the editor, from the panes. */
export async function edit(session: Session, name: string): Promise<void> {
  await goToFile(session, name);
  session.press('e');
  await session.waitFor((now) => new RegExp(`EDIT \\S*${name}`).test(now.screen));
}

/** Waits until the terminal's cursor is on a cell of the text: column and row from 0. */
export async function waitForCursor(session: Session, x: number, y: number): Promise<void> {
  await session.waitFor(
    ({ terminal: { cursor, modes } }) => modes.cursorVisible && cursor.x === x && cursor.y === y,
  );
}

/** Moves down the rows or the buttons of a question to the one that says so, and enters it. */
export async function choose(session: Session, label: string): Promise<void> {
  const chosen = () => {
    const [, row, button] =
      /│ (?:> (.*?) {2,}|(?:[^│]* {3})?\[([A-Z][^\]]*)\] )/.exec(session.screen) ?? [];
    return row ?? button;
  };
  await session.waitFor(() => chosen() !== undefined);
  while (chosen() !== label) {
    const before = chosen();
    session.press('down');
    await session.waitFor(() => chosen() !== before);
  }
  await enterUntil(session, () => chosen() !== label);
}

/** Milliseconds from when a box is seen until Enter answers it: the program learns later of it. */
const readable = boxAnswersAfter + 100;

/** Presses Enter once the box on the screen can be answered, and again while nothing comes of it. */
export async function enterUntil(
  session: Session,
  done: (session: Session) => boolean,
): Promise<void> {
  await sleep(readable);
  await pressUntil(session, 'enter', done);
}

/** Puts off what the start offers. */
export async function answerLater(session: Session): Promise<void> {
  await session.waitFor('unfinished work');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('unfinished work'));
}
