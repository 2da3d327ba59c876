import { setTimeout as sleep } from 'node:timers/promises';
import { launch, type Session } from '../e2e/harness.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { FrameWatch, type Sample } from './frames.ts';
import { median, type Row } from './measure.ts';
import { changeBytes, changedCells, rowBytes } from './picture.ts';

/** Bytes of a frame beside its text, jumps and colours: markers of its begin and end, margins. */
const frame = 20;
const day = 86_400_000;
/** The rate at which the grants are spent, which is known after some seconds. */
const knownRate = /3 Grants \d+ .* 0\/h /;

/** Bytes to the terminal against the least that the change of the picture takes. */
export async function bytes(): Promise<readonly Row[]> {
  return [
    await scrolledLine(80, 24),
    await scrolledLine(200, 50),
    ...(await splitView()),
    await unchangedRefresh(),
    await atRest(),
  ];
}

/** One line at the end of a full log, which the terminal can scroll. */
async function scrolledLine(cols: number, rows: number): Promise<Row> {
  await using deck = await start(cols, rows);
  const { session } = deck;
  session.press('4');
  await session.waitFor('[4 Logs');
  session.press('f');
  await session.waitFor((now) => !now.screen.includes('1 Deployments'));
  const samples = await samplesOfLines(deck, 40);
  const pairs = samples.map(({ sample, text }) => ({
    ours: bytesOf(sample),
    reference: rowBytes(sample.after, text) + frame,
  }));
  const ticks = samples.flatMap(({ sample }) => sample.ticks);
  const tick = median(ticks.map((each) => each.bytes));
  return against(
    `bytes: fullscreen log scrolls one line, ${cols}x${rows} (beside it ${ticks.length} updates of the rate in row 1 and of the histogram, ${tick} B each)`,
    pairs,
    'text, jump, colours, 20 B',
    1.5,
  );
}

/** The log beside the lists, where the terminal cannot scroll; and the highlight of a list. */
async function splitView(): Promise<readonly Row[]> {
  await using deck = await start(120, 36);
  const { session, watch } = deck;
  await session.waitFor('[1 Deployments');
  const lines = await samplesOfLines(deck, 40);
  session.press('1');
  await watch.sample(1500);
  const moves: Sample[] = [];
  for (const key of ['j', 'j', 'j', 'j', 'k', 'k', 'k', 'k', 'j', 'k']) {
    session.press(key);
    moves.push(await watch.sample(300));
  }
  const cells = 'cells that differ, jumps, colours, 20 B';
  return [
    against(
      'bytes: split view (120x36), log moves one line',
      lines.map(({ sample }) => compared(sample)),
      cells,
      1.1,
    ),
    against('bytes: split view (120x36), highlight moves one row', moves.map(compared), cells, 1.1),
  ];
}

/** F5 in every list, then the refreshes that go by themselves: the files' come every 10 s. */
async function unchangedRefresh(): Promise<Row> {
  await using deck = await start(120, 36);
  const { session, foreign, watch } = deck;
  await session.waitFor(knownRate);
  const samples: Sample[] = [];
  for (const list of ['1 Deployments', '2 Files', '3 Grants']) {
    session.press(list.charAt(0));
    await session.waitFor(`[${list}`);
    await watch.sample(2500);
    for (let time = 0; time < 3; time += 1) {
      const { length } = foreign.requests;
      session.press('f5');
      await fetched(foreign, length);
      samples.push(await watch.sample(300));
    }
  }
  const { length } = foreign.requests;
  await fetched(foreign, length);
  samples.push(await watch.sample());
  const written = samples.map(({ frames }) => frames.reduce((sum, each) => sum + each.bytes, 0));
  const ticks = samples.reduce((sum, sample) => sum + sample.ticks.length, 0);
  const most = Math.max(...written);
  const requests = foreign.requests.length - length;
  return {
    what: `bytes: unchanged refresh of any list: F5 in each, the most of ${samples.length - 1}; and the next of each by itself, ${requests} requests (beside it ${ticks} updates of row 1 and of the histogram)`,
    ours: `${most} B`,
    reference: 'nothing: 0 B',
    goal: { at: 0, value: most, unit: 'B' },
  };
}

/** Cells that change by themselves: rates, ages and the histogram of a log without new lines. */
async function atRest(): Promise<Row> {
  await using deck = await start(120, 36);
  const { session, watch } = deck;
  await session.waitFor(knownRate);
  await watch.sample(2500);
  let most = 0;
  for (let second = 0; second < 20; second += 1) {
    await sleep(1000);
    const { before, after } = await watch.sample(0);
    most = Math.max(most, changedCells(before, after));
  }
  return {
    what: 'cells that change in a second at rest, 120x36, the most of 20',
    ours: `${most} cells`,
    reference: '12 cells',
    goal: { at: 12, value: most, unit: 'cells' },
  };
}

/** Waits until each list was asked for again after the first `count` requests. */
async function fetched(foreign: Foreign, count: number): Promise<void> {
  const lists = [/\/deployments$/, /\/files$/, /\/grants$/];
  const asked = (list: RegExp): boolean =>
    foreign.requests.slice(count).some(({ path }) => list.test(path));
  while (!lists.every(asked)) await sleep(10);
}

/** A console on a service with things old enough that their ages stay, and a full log. */
async function start(
  cols: number,
  rows: number,
): Promise<
  AsyncDisposable & {
    readonly session: Session;
    readonly foreign: Foreign;
    readonly watch: FrameWatch;
  }
> {
  const foreign = await startForeign();
  await furnish(foreign);
  const session = launch({
    env: { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token },
    cols,
    rows,
  });
  const watch = new FrameWatch(session);
  await session.waitFor('history line 99');
  await watch.sample(1500);
  return {
    session,
    foreign,
    watch,
    async [Symbol.asyncDispose]() {
      await session.close();
      await foreign.close();
    },
  };
}

async function furnish(foreign: Foreign): Promise<void> {
  for (const name of ['shop', 'worker', 'batch', 'mail', 'search']) {
    await fetch(`${foreign.baseUrl}/api/v1/deployments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${foreign.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sdl: JSON.stringify({ name, services: { web: {} } }) }),
    });
  }
  for (const [index, deployment] of [...foreign.deployments.values()].entries()) {
    const createdAt = new Date(Date.now() - (40 + index) * day - day / 2).toISOString();
    Object.assign(deployment, { createdAt });
  }
  for (const grantee of ['cosmos1dana', 'cosmos1erik']) {
    foreign.grants.set(grantee, {
      id: grantee,
      grantor: foreign.wallet,
      grantee,
      limit: 50,
      spent: 12.5,
      expiresAt: new Date(Date.now() + 6.5 * day).toISOString(),
      createdAt: new Date(Date.now() - 40.5 * day).toISOString(),
    });
  }
  for (let line = 0; line < 100; line += 1) {
    foreign.append(foreign.sample, 'web', logLine(`history line ${line}`, line));
  }
}

/** Text of about 60 or 150 characters, as services write it. */
function logLine(start: string, number: number): string {
  const long = ` trace=${(number * 7919).toString(16)} user=${number * 31} agent=Mozilla/5.0 (X11; Linux x86_64) region=eu-west-${number % 3} cache=miss`;
  const text = `${start} GET /api/v1/items/${number * 17} 200 ${number % 90}ms sent ${number * 101} B`;
  return number % 2 === 0 ? text : text + long;
}

/** Lines written one at a time, each awaited. */
async function samplesOfLines(
  { session, foreign, watch }: { session: Session; foreign: Foreign; watch: FrameWatch },
  count: number,
): Promise<readonly { readonly text: string; readonly sample: Sample }[]> {
  await watch.sample(1500);
  const samples = [];
  for (let line = 0; line < count; line += 1) {
    const text = `request ${line} `;
    foreign.append(foreign.sample, line % 3 === 0 ? 'worker' : 'web', logLine(text, line));
    await session.waitFor(text);
    samples.push({ text, sample: await watch.sample() });
  }
  return samples;
}

interface Pair {
  readonly ours: number;
  readonly reference: number;
}

function bytesOf({ frames }: Sample): number {
  return frames.reduce((sum, each) => sum + each.bytes, 0);
}

function compared(sample: Sample): Pair {
  const rows = [...new Set(sample.frames.flatMap((each) => each.rows))].toSorted((a, b) => a - b);
  return {
    ours: bytesOf(sample),
    reference: changeBytes(sample.before, sample.after, rows) + frame,
  };
}

function against(what: string, pairs: readonly Pair[], of: string, goal: number): Row {
  const ours = median(pairs.map((pair) => pair.ours));
  const reference = median(pairs.map((pair) => pair.reference));
  const ratio = median(pairs.map((pair) => pair.ours / pair.reference));
  return { what, ours: `${ours} B`, reference: `${of}: ${reference} B`, ratio, goal };
}
