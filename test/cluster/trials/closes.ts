import { deploy, readLines } from '../../host/support/bodies.ts';
import { type Caller, temporaryHost } from '../../host/support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { close, onBed, webSdl } from '../bed.ts';
import { compareNumbers, countHoles, readWholeLog, sum, type TrialResult } from './trial.ts';

/** Deployments at a time. */
const together = 5;

const lastLines = 100;

/** Is quiet until it is stopped. */
const leaving = `
  process.on('SIGTERM', () => {
    for (let line = 1; line <= ${lastLines}; line += 1) console.log('end ' + line);
    process.exit();
  });
  console.log('ready');
  setInterval(() => undefined, 1000);
`;

interface Outcome extends ReturnType<typeof compareNumbers> {
  readonly count: number;
  readonly holes: number;
}

/** Closes deployments whose service writes 100 lines when it is stopped. */
export async function tryCloses({ closes = 50 } = {}): Promise<TrialResult> {
  const service = await temporaryHost(onBed);
  const owner = service.as('0xowner');
  try {
    const outcomes: Outcome[] = [];
    const begun = Date.now();
    while (outcomes.length < closes) {
      const length = Math.min(together, closes - outcomes.length);
      outcomes.push(...(await Promise.all(Array.from({ length }, () => runOnce(owner)))));
    }
    const all = (key: keyof Outcome) => sum(outcomes.map((each) => each[key]));
    const wrong = all('lost') + all('doubled') + all('disordered') + all('holes');
    return {
      figures: [
        `${closes} closes, ${together} at a time, ${((Date.now() - begun) / 1000).toFixed(0)} s`,
        `${all('count')} of ${closes * lastLines} last lines: ${all('lost')} lost, ` +
          `${all('doubled')} doubled, ${all('disordered')} out of order; ` +
          `${all('holes')} holes in the ids`,
      ],
      failures: wrong === 0 ? [] : ['the last lines'],
    };
  } finally {
    await service.remove();
  }
}

async function runOnce(owner: Caller): Promise<Outcome> {
  const { id } = await deploy(owner, webSdl(1, { args: ['-e', leaving] }));
  await waitFor(async () => {
    if (!(await readLines(owner, id)).includes('ready')) throw new Error(`${id} is not ready`);
  });
  await close(owner, id);
  const log = await readWholeLog(owner, id);
  const numbers = log.flatMap(({ logLine }) =>
    logLine.startsWith('end ') ? [Number(logLine.slice(4))] : [],
  );
  return { ...compareNumbers(numbers, lastLines), count: numbers.length, holes: countHoles(log) };
}
