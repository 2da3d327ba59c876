import { setTimeout as delay } from 'node:timers/promises';
import { deploy, type ReadLog, readDeployment, readLogs } from '../../host/support/bodies.ts';
import { type Caller, temporaryHost } from '../../host/support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { onBed, runningTasks, webSdl } from '../bed.ts';
import { compareNumbers, countHoles, readWholeLog, sum, type TrialResult } from './trial.ts';

const instances = 2;
const linesPerSecond = 10;

/** Price of an instance in credits per block of 6 s. */
const price = 0.001;
const blockSeconds = 6;

/** Time that the host may need to read what was written meanwhile. */
const catchUpMs = 180_000;

/** Part of the bill by which it may differ from the engine's times. */
const tolerance = 0.01;

/** Writes its numbered lines, and then nothing. */
const counting = (lines: number) => `
  const start = Date.now();
  let line = 0;
  setInterval(() => {
    const due = Math.min(${lines}, Math.floor((Date.now() - start) / ${1000 / linesPerSecond}));
    while (line < due) console.log('n ' + (line += 1));
  }, 20);
  process.on('SIGTERM', () => process.exit());
`;

function pricedSdl(lines: number): string {
  const definition = JSON.parse(webSdl(instances, { args: ['-e', counting(lines)] }));
  definition.profiles.placement.here.pricing.web.amount = price * 1e6;
  return JSON.stringify(definition);
}

/** Rejects unless the newest line of each instance is as wanted. */
async function assertNewest(owner: Caller, id: string, isWanted: (line: ReadLog) => boolean) {
  const newest = await readLogs(owner, id, { limit: 100, search: 'n ' });
  for (let instance = 1; instance <= instances; instance += 1) {
    const line = newest.findLast((each) => each.instance === instance);
    if (line === undefined || !isWanted(line)) throw new Error(`instance ${instance} is behind`);
  }
}

/** Leaves two instances that write 10 lines a second alone for some minutes. */
export async function tryAway({ minutes = 10 } = {}): Promise<TrialResult> {
  const lines = (minutes * 60 + 60) * linesPerSecond;
  const service = await temporaryHost(onBed);
  const owner = service.as('0xowner');
  try {
    service.host.balance(owner.wallet, '1000');
    const { id } = await deploy(owner, pricedSdl(lines));
    const tasks = await waitFor(async () => {
      const running = await runningTasks(id);
      if (running.length < instances) throw new Error('not all instances run');
      if ((await readDeployment(owner, id)).state !== 'active') throw new Error('not active');
      return running;
    });
    await service.host.close();
    await delay(minutes * 60_000);
    await service.again();
    const returned = Date.now();
    await waitFor(
      () => assertNewest(owner, id, ({ timestamp }) => Date.parse(timestamp) > returned),
      {
        timeout: catchUpMs,
      },
    );
    const caughtUp = (Date.now() - returned) / 1000;
    await waitFor(() => assertNewest(owner, id, ({ logLine }) => logLine === `n ${lines}`), {
      timeout: catchUpMs,
    });
    const log = await readWholeLog(owner, id);
    const isSame = (await runningTasks(id)).every((task) =>
      tasks.some((each) => each.id === task.id),
    );
    const closed = Date.now();
    await owner.call('closeDeployment', { id });
    const bill = 1000 - Number(service.host.balance(owner.wallet));
    const seconds = sum(tasks.map(({ at }) => (closed - Date.parse(at)) / 1000));
    const due = (seconds / blockSeconds) * price;
    const difference = Math.abs(bill - due) / due;

    const compared = Array.from({ length: instances }, (_, index) => {
      const own = log.filter(({ instance }) => instance === index + 1);
      const numbers = own.flatMap(({ logLine }) =>
        logLine.startsWith('n ') ? [Number(logLine.slice(2))] : [],
      );
      return { ...compareNumbers(numbers, lines), count: numbers.length };
    });
    const all = (key: 'count' | 'disordered' | 'doubled' | 'lost') =>
      sum(compared.map((each) => each[key]));
    const holes = countHoles(log);
    return {
      figures: [
        `host away for ${minutes} min, ${instances} instances, ${linesPerSecond} lines/s each`,
        `${all('count')} of ${lines * instances} lines: ${all('lost')} lost, ` +
          `${all('doubled')} doubled, ${all('disordered')} out of order; ${holes} holes in the ids`,
        `the log was at the present ${caughtUp.toFixed(1)} s after the host's return`,
        `bill ${bill.toFixed(6)} for ${seconds.toFixed(1)} s of instances, by the engine ` +
          `${due.toFixed(6)}: ${(difference * 100).toFixed(2)} % apart`,
        isSame ? 'no instance replaced' : 'instances REPLACED',
      ],
      failures: [
        ...(all('lost') + all('doubled') + all('disordered') + holes > 0 ? ['the lines'] : []),
        ...(difference > tolerance ? ['the bill'] : []),
        ...(isSame ? [] : ['the instances']),
      ],
    };
  } finally {
    await service.remove();
  }
}
