import { setTimeout as delay } from 'node:timers/promises';
import { deploy, type ReadLog, readDeployment, readLogs } from '../../host/support/bodies.ts';
import { type Caller, temporaryHost } from '../../host/support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { changeNode, close, inZones, onBed, webSdl } from '../bed.ts';
import { compareNumbers, countHoles, readWholeLog, sum, type TrialResult } from './trial.ts';

/** An instance on each node; the worker's starts again there. */
const zones = { z1: 1, z2: 1 };
const worker = 2;

/** Seconds within which the log is to go on once the link is there. */
const goesOnWithin = 20;

const linesPerSecond = 100;
const settleMs = 8000;

/** Writes lines with its instance, its own id and their number, and the last number when stopped. */
const counting = `
  const own = require('node:crypto').randomBytes(4).toString('hex');
  const id = process.env.HOSTDECK_INSTANCE + '-' + own;
  const start = Date.now();
  let line = 0;
  setInterval(() => {
    const due = Math.floor((Date.now() - start) / ${1000 / linesPerSecond});
    while (line < due) console.log(id + ' ' + (line += 1));
  }, 10);
  process.on('SIGTERM', () => {
    console.log(id + ' ends ' + line);
    process.exit();
  });
`;

/** One writer of lines, as its log has it. */
interface Writer {
  readonly numbers: number[];
  /** The number of lines that it wrote; undefined for one that was killed, or whose end was not read. */
  end?: number;
}

/** Cuts the link between manager and worker for each of these seconds, `times` times each. */
export async function tryCuts({ seconds = [4, 10, 30], times = 5 } = {}): Promise<TrialResult> {
  const service = await temporaryHost(onBed);
  const owner = service.as('0xowner');
  const cuts: Cut[] = [];
  try {
    const sdl = inZones(webSdl(1, { args: ['-e', counting] }), zones);
    const { id } = await deploy(owner, sdl);
    await isWhole(owner, id);
    for (const length of seconds) {
      for (let time = 0; time < times; time += 1) cuts.push(await cut(owner, id, length));
    }
    await close(owner, id);
    const log = await readWholeLog(owner, id);
    const writers = [...writersIn(log).values()];
    const figures = seconds.map((length) => describe(length, cuts));
    const survivors = writers.filter(({ end }) => end !== undefined);
    const others = writers.filter(({ end }) => end === undefined);
    const wrong = sum(survivors.map(({ numbers, end }) => wrongOf(compareNumbers(numbers, end))));
    const wrongOfOthers = sum(others.map(({ numbers }) => wrongOf(compareNumbers(numbers))));
    const late = cuts.filter(({ wentOn }) => wentOn > goesOnWithin).length;
    const holes = countHoles(log);
    const linesOf = (some: readonly Writer[]) => sum(some.map(({ numbers }) => numbers.length));
    return {
      figures: [
        `${cuts.length} cuts, ${linesPerSecond} lines/s on each node`,
        ...figures,
        `${survivors.length} tasks whose end was read: ${linesOf(survivors)} lines, ` +
          `${wrong} lost, doubled or out of order`,
        `${others.length} tasks whose end was not read: ${linesOf(others)} lines, ` +
          `${wrongOfOthers} lost, doubled or out of order up to the last one read`,
        `${holes} holes in the ids`,
      ],
      failures: [
        ...(wrong + wrongOfOthers + holes > 0 ? ['the lines'] : []),
        ...(late > 0 ? [`${late} times the log went on late`] : []),
      ],
    };
  } finally {
    await changeNode('heal', worker);
    await service.remove();
  }
}

interface Cut {
  readonly seconds: number;
  /** Seconds from the cut until the node was shown as lost; undefined when it was not. */
  readonly shown: number | undefined;
  /** Seconds from the link's return to the first line that the worker wrote after it. */
  readonly wentOn: number;
  readonly isReplaced: boolean;
}

async function cut(owner: Caller, id: string, seconds: number): Promise<Cut> {
  const before = await writerOf(owner, id, worker);
  const begun = Date.now();
  const since = () => (Date.now() - begun) / 1000;
  await changeNode('cut', worker);
  let shown: number | undefined;
  while (since() < seconds) {
    const { state } = await readDeployment(owner, id);
    if (state === 'node lost') shown ??= since();
    await delay(100);
  }
  await changeNode('heal', worker);
  const healed = Date.now();
  await waitFor(() => writerOf(owner, id, worker, healed), { interval: 100 });
  const wentOn = (Date.now() - healed) / 1000;
  // The engine ends a task that it has replaced some time after its node is back.
  await delay(settleMs);
  await isWhole(owner, id);
  const isReplaced = (await writerOf(owner, id, worker)) !== before;
  return { seconds, shown, wentOn, isReplaced };
}

/** Resolves with the id of what an instance runs. Rejects unless it has written after a time. */
async function writerOf(owner: Caller, id: string, instance: number, time = 0): Promise<string> {
  const lines = await readLogs(owner, id, { limit: 5 * linesPerSecond });
  const written = lines.findLast(({ logLine }) => logLine.startsWith(`${instance}-`));
  if (written === undefined || Date.parse(written.timestamp) < time) {
    throw new Error(`no line of instance ${instance}`);
  }
  return written.logLine.split(' ')[0] ?? '';
}

/** Resolves when all instances run, and the log has what they write now. */
async function isWhole(owner: Caller, id: string): Promise<void> {
  const instances = Object.keys(zones).length;
  const now = Date.now();
  await waitFor(
    async () => {
      const { state } = await readDeployment(owner, id);
      if (state !== 'active') throw new Error(`it is ${state}`);
      for (let instance = 1; instance <= instances; instance += 1) {
        await writerOf(owner, id, instance, now);
      }
    },
    { interval: 200 },
  );
}

/** Returns the writers of the lines of a log, by their ids. */
function writersIn(log: readonly ReadLog[]): ReadonlyMap<string, Writer> {
  const writers = new Map<string, Writer>();
  for (const { logLine, stream } of log) {
    if (stream !== 'stdout') continue;
    const [id = '', ...rest] = logLine.split(' ');
    const writer = writers.get(id) ?? { numbers: [] };
    writers.set(id, writer);
    if (rest[0] === 'ends') writer.end = Number(rest[1]);
    else writer.numbers.push(Number(rest[0]));
  }
  return writers;
}

function describe(seconds: number, cuts: readonly Cut[]): string {
  const own = cuts.filter((each) => each.seconds === seconds);
  const shown = own.flatMap((each) => each.shown ?? []);
  const wentOn = own.map((each) => each.wentOn.toFixed(1)).join(', ');
  const replaced = own.filter(({ isReplaced }) => isReplaced).length;
  return (
    `${own.length} of ${seconds} s: the log went on after ${wentOn} s; ${replaced} tasks replaced; ` +
    `${shown.length} times shown as lost` +
    (shown.length === 0 ? '' : `, after ${shown.map((each) => each.toFixed(1)).join(', ')} s`)
  );
}

const wrongOf = ({ lost, doubled, disordered }: ReturnType<typeof compareNumbers>) =>
  lost + doubled + disordered;
