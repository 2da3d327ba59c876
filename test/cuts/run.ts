/**
 * `npm run cuts -- --seed S --cuts N --service host|foreign|clocks|unnumbered|simulated|all --rate R`:
 * follows a log that is written at R lines a second while the network and the service break N times, and
 * holds what is shown against the service's own record. `--round R` runs that round alone; `--speed X`
 * lets time pass faster. `simulated` runs N services (`--simulated N`) of any shape, from seed S on, in
 * this process. Exits with 1 when a line is lost, doubled, out of order or strange.
 */
import {
  type ServiceName,
  serviceNames,
  serviceText,
  startRound,
  usual,
  wrongIn,
} from './rounds.ts';
import { readOptions } from '../support/options.ts';
import { simulate } from '../tail/log/model-verdict.ts';

const values = readOptions({
  seed: { type: 'string', default: '1' },
  cuts: { type: 'string', default: '1000' },
  service: { type: 'string', default: 'all' },
  rate: { type: 'string' },
  speed: { type: 'string', default: '1' },
  round: { type: 'string' },
  simulated: { type: 'string', default: '50000' },
});
const [seed, all, speed, simulated] = [
  values.seed,
  values.cuts,
  values.speed,
  values.simulated,
].map(Number);
const rate = values.rate === undefined ? undefined : Number(values.rate);
const isNumber = (value: number | undefined): value is number => (value ?? Number.NaN) >= 0;
const isWanted = (name: string): boolean => values.service === name || values.service === 'all';
const services = serviceNames.filter(isWanted);
if (
  !isNumber(seed) ||
  !isNumber(all) ||
  (rate !== undefined && !isNumber(rate)) ||
  !isNumber(speed) ||
  !isNumber(simulated) ||
  (services.length === 0 && !isWanted('simulated'))
) {
  process.stderr.write(
    'Seed, cuts, rate, speed and simulated are numbers; the service is host, foreign, clocks, ' +
      'unnumbered, simulated or all.\n',
  );
  process.exit(2);
}
const first = values.round === undefined ? 0 : Number(values.round);

for (const service of services) {
  const cutsOfRound = usual[service].cuts;
  const last = values.round === undefined ? Math.ceil(all / cutsOfRound) : first + 1;
  const totals = { cuts: 0, lines: 0, wrong: 0 };
  for (let round = first; round < last; round += 1) {
    const cuts =
      values.round === undefined ? Math.min(cutsOfRound, all - totals.cuts) : cutsOfRound;
    totals.cuts += cuts;
    totals.wrong += await runOne(service, round, cuts, totals);
  }
  const verdict = totals.wrong === 0 ? 'as in its record' : `${totals.wrong} rounds DIFFER`;
  process.stdout.write(`${service}: ${totals.cuts} cuts, ${totals.lines} lines: ${verdict}\n`);
}
if (isWanted('simulated') && values.round === undefined) simulateAll(seed, simulated);

function simulateAll(from: number, count: number): void {
  let wrong = 0;
  for (let one = from; one < from + count; one += 1) {
    const difference = simulate(one);
    if (difference === undefined) continue;
    wrong += 1;
    process.exitCode = 1;
    process.stdout.write(
      `${difference}\nAgain: npm run cuts -- --service simulated --seed ${one} --simulated 1\n`,
    );
  }
  const verdict = wrong === 0 ? 'as in their record' : `${wrong} DIFFER`;
  process.stdout.write(`simulated: ${count} services from seed ${from}: ${verdict}\n`);
}

/** @returns 1 when something was wrong. */
async function runOne(
  service: ServiceName,
  round: number,
  cuts: number,
  totals: { lines: number },
): Promise<number> {
  const options = {
    service,
    seed: seed ?? 0,
    round,
    cuts,
    rate: rate ?? usual[service].rate,
    speed: speed ?? 1,
  };
  const what = `seed ${seed} round ${round}, ${serviceText(options)}`;
  try {
    const result = await startRound(options);
    totals.lines += result.lines;
    const wrong = wrongIn(result);
    const kinds = Object.entries(result.cuts).map(([kind, count]) => `${count} ${kind}`);
    process.stdout.write(
      `${what}: ${cuts} cuts (${kinds.join(', ')}), ${result.upgrades} streams, ` +
        `${result.lines} lines at ${Math.round(result.rate)}/s: ` +
        `${result.lost} lost, ${result.doubled} doubled, ${result.disordered} out of order, ` +
        `${result.strange} strange, ${result.gaps} gaps\n`,
    );
    if (wrong.length === 0) return 0;
    process.stdout.write(`  ${wrong.join('\n  ')}\n`);
  } catch (error) {
    process.stdout.write(`${what}: FAILED\n  ${String(error)}\n`);
  }
  process.stdout.write(
    `Again: npm run cuts -- --service ${service} --seed ${seed} --round ${round}\n`,
  );
  process.exitCode = 1;
  return 1;
}
