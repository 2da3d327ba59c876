import { deploy } from '../../host/support/bodies.ts';
import { temporaryHost } from '../../host/support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { close, onBed, webSdl } from '../bed.ts';
import { countHoles, readWholeLog, type TrialResult } from './trial.ts';

const longLength = 40 * 1024;

/** Lines of one write, which the program makes within a millisecond or so. */
const burstLines = 10_000;

/** Returns hard lines by what they are called; the engine cuts lines at 16 KiB. Runs in the service, too. */
function hardLines(length: number): Readonly<Record<string, string>> {
  return {
    long: Array.from({ length }, (_, at) => String.fromCodePoint(33 + ((at * 7) % 94))).join(''),
    NUL: 'before\0after\0\0end',
    controls: 'tab\tescape\u001b[31mred\u001b[0m bell\u0007 return\rover',
    quotes: '"\\u0000" \\n {"log":"x\\n","stream":"stderr"} \u2028 é 日本 🙂',
    blank: '   ',
    time: '2026-01-01T00:00:00.000000000Z not a time of the engine',
  };
}

const burstLine = (line: number) => `burst ${line} ${'.'.repeat(line % 50)}`;

const writing = `
  const { performance } = require('node:perf_hooks');
  const hard = (${String(hardLines)})(${longLength});
  const burst = Array.from({ length: ${burstLines} }, (_, line) => (${String(burstLine)})(line) + '\\n');
  const text = burst.join('');
  process.stdout.write('begin\\n' + Object.values(hard).join('\\n') + '\\n');
  process.stderr.write(Object.values(hard).join('\\n') + '\\n');
  const begun = performance.now();
  process.stdout.write(text);
  process.stdout.write('burst in ' + (performance.now() - begun).toFixed(1) + ' ms\\n');
  process.stdout.write('end without a line break');
  setInterval(() => undefined, 1000);
  process.on('SIGTERM', () => process.exit());
`;

/** Lets a service write lines that are long, odd and many, and compares each with its log. */
export async function tryLines(): Promise<TrialResult> {
  const service = await temporaryHost(onBed);
  const owner = service.as('0xowner');
  try {
    const { id } = await deploy(owner, webSdl(1, { args: ['-e', writing] }));
    await waitFor(async () => {
      const log = await readWholeLog(owner, id);
      if (!log.some(({ logLine }) => logLine.startsWith('burst in'))) throw new Error('not yet');
    });
    await close(owner, id);
    const log = await readWholeLog(owner, id);
    const linesOf = (stream: string) =>
      log.flatMap((line) => (line.stream === stream ? [line.logLine] : []));
    const hard = Object.entries(hardLines(longLength));
    const stdout = linesOf('stdout');
    const stderr = linesOf('stderr');
    const odd = hard.flatMap(([name, line], at) => [
      ...(stdout[at + 1] === line ? [] : [`${name} on stdout`]),
      ...(stderr[at] === line ? [] : [`${name} on stderr`]),
    ]);
    const burst = stdout.slice(hard.length + 1, hard.length + 1 + burstLines);
    const same = burst.filter((line, at) => line === burstLine(at)).length;
    const [took = '', last, ...more] = stdout.slice(hard.length + 1 + burstLines);
    const tooMany = more.length + Math.max(0, stderr.length - hard.length);
    const isEnded = last === 'end without a line break';
    return {
      figures: [
        `${2 * hard.length - odd.length} of ${2 * hard.length} hard lines byte for byte ` +
          `(${hard.map(([name, line]) => `${name} ${Buffer.byteLength(line)} B`).join(', ')})`,
        `${same} of ${burstLines} lines of one write byte for byte and in order; ${took}`,
        `${isEnded ? 1 : 0} of 1 line without a break at the end; ${tooMany} lines too many`,
        `${countHoles(log)} holes in the ids`,
      ],
      failures: [
        ...odd,
        ...(same === burstLines ? [] : ['the burst']),
        ...(isEnded ? [] : ['the last line']),
        ...(tooMany + countHoles(log) > 0 ? ['the count of lines'] : []),
      ],
    };
  } finally {
    await service.remove();
  }
}
