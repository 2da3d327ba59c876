import { setTimeout as sleep } from 'node:timers/promises';
import { type Condition, launch, type Session } from '../e2e/harness.ts';
import { createDeployment } from '../e2e/foreign-console.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { bytesOfLine, bytesOfRuns, type Picture, pictureOf, sameCells } from './changed-bytes.ts';
import { median, type Row } from './measure.ts';

const samples = 9;
/** Milliseconds without output after which all that a cause brings has come. */
const quiet = 300;
/** Milliseconds in which an answer to F5 has come and is on the screen. */
const refetching = 1000;
/** Milliseconds in which each list is fetched by itself. */
const refreshing = 21_000;

/** One change of the screen. */
interface Change {
  readonly bytes: number;
  readonly reference: number;
}

/** Bytes to the terminal for single changes, each awaited, against those that it needs. */
export async function bytesOfChanges(): Promise<readonly Row[]> {
  const foreign = await startForeign();
  for (let count = 0; count < 9; count += 1) await createDeployment(foreign, `shop-${count}`);
  for (let count = 0; count < 60; count += 1) appendLine(foreign);
  const rows = [
    await fullscreenScroll(foreign, 80, 24),
    await fullscreenScroll(foreign, 200, 50),
    ...(await splitView(foreign)),
    await unchangedRefresh(foreign),
  ];
  await foreign.close();
  return rows;
}

async function fullscreenScroll(foreign: Foreign, cols: number, rows: number): Promise<Row> {
  await using session = await opened(foreign, cols, rows);
  session.press('4');
  await session.waitFor(/4 Logs bazaar|\[4 Logs/);
  session.press('f');
  await session.waitFor(/^\S+ Logs bazaar/);
  const changes = await several(() => {
    let text = '';
    const append = (): string => (text = appendLine(foreign));
    return changed(session, append, (_, after) => {
      const y = session.terminal.rows.findIndex((row) => row.includes(text));
      return bytesOfLine(after[y] ?? [], y);
    });
  });
  return changesRow(`fullscreen log scrolls one line, ${cols}x${rows}`, changes, 1.5);
}

async function splitView(foreign: Foreign): Promise<readonly Row[]> {
  await using session = await opened(foreign, 120, 36);
  const log = await several(() => changed(session, () => appendLine(foreign), bytesOfRuns));
  session.press('1');
  await session.waitFor('[1 Deployments');
  await settled(session);
  let row = cursorRow(session);
  const first = row;
  let step = 1;
  const highlight = await several(() => {
    if (row + step < first || row + step > first + 7) step = -step;
    row += step;
    const wanted = row;
    const press = (): Condition => {
      session.press(step > 0 ? 'j' : 'k');
      return (now) => cursorRow(now) === wanted;
    };
    return changed(session, press, bytesOfRuns);
  });
  return [
    changesRow('split view 120x36, log moves one line', log, 1.1),
    changesRow('split view 120x36, highlight moves one row', highlight, 1.1),
  ];
}

/** Of each list by F5 with its pane in focus, and of all by themselves for a while. */
async function unchangedRefresh(foreign: Foreign): Promise<Row> {
  await using session = await opened(foreign, 120, 36);
  let bytes = 0;
  let requests = 0;
  const count = async (refresh: () => Promise<unknown>): Promise<void> => {
    const { length } = session.transcript;
    const seen = foreign.requests.length;
    await refresh();
    bytes += Buffer.byteLength(session.transcript.slice(length));
    requests += foreign.requests.length - seen;
  };
  await session.waitFor('live 0/s');
  for (const pane of ['1', '2', '3', '4']) {
    session.press(pane);
    await session.waitFor(`[${pane} `);
    await settled(session);
    await count(async () => {
      session.press('f5');
      await sleep(refetching);
    });
  }
  await count(() => sleep(refreshing));
  return {
    what: `unchanged lists refetched, ${requests} requests: F5 in each pane, and ${refreshing / 1000} s by themselves`,
    ours: `${bytes} B`,
    reference: '0 B',
    ratio: bytes,
    goal: 0,
  };
}

async function opened(foreign: Foreign, cols: number, rows: number): Promise<Session> {
  const session = launch({
    env: { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token },
    cols,
    rows,
  });
  await session.waitFor(/GET \/shops/);
  await session.waitFor(/live \d/);
  await settled(session);
  return session;
}

const cursorRow = (session: Session): number =>
  session.terminal.rows.findIndex((row) => row.startsWith('>'));

/** What becomes of the screen until `done` holds and nothing more comes. */
async function changed(
  session: Session,
  cause: () => Condition,
  reference: (before: Picture, after: Picture) => number,
): Promise<Change | undefined> {
  await settled(session);
  const before = pictureOf(session.terminal);
  const { length } = session.transcript;
  await session.waitFor(cause());
  await settled(session);
  const after = pictureOf(session.terminal);
  // The rate in row 1 ticks by itself: what came along with it is no measure.
  if (!sameCells(before[0], after[0])) return undefined;
  return {
    bytes: Buffer.byteLength(session.transcript.slice(length)),
    reference: reference(before, after),
  };
}

async function several(once: () => Promise<Change | undefined>): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (let tries = 0; changes.length < samples && tries < 5 * samples; tries += 1) {
    const change = await once();
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

/** Resolves when nothing has come from the program for a while. */
async function settled(session: Session): Promise<void> {
  for (let length = -1; session.transcript.length !== length; ) {
    ({ length } = session.transcript);
    await sleep(quiet);
  }
}

function changesRow(what: string, changes: readonly Change[], goal: number): Row {
  const ours = median(changes.map(({ bytes }) => bytes));
  const reference = median(changes.map((change) => change.reference));
  return {
    what: `${what}, median of ${changes.length}`,
    ours: `${ours} B`,
    reference: `${reference} B`,
    ratio: median(changes.map((change) => change.bytes / change.reference)),
    goal,
  };
}

let lines = 0;

/** Writes a line that differs from all before, in length too; gives its text. */
function appendLine(foreign: Foreign): string {
  lines += 1;
  const path = `/shops/${(lines * 7919) % 997}/orders${'/items'.repeat(lines % 4)}`;
  const text =
    lines % 5 === 0
      ? `WARN ${lines} slow query took ${(lines * 37) % 900} ms`
      : `${lines} GET ${path} 200 ${(lines * 31) % 97}ms`;
  foreign.append(foreign.sample, lines % 3 === 0 ? 'worker' : 'web', text);
  return text;
}
