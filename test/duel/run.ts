import { startSurvivingHost } from '../faults/surviving-host.ts';
import { readOptions } from '../support/options.ts';
import { runDuel } from './duel.ts';

const help = `npm run duel -- [--seed S] [--minutes M]

Two consoles with one state folder work on the files of one service, and are killed now and then.
Afterwards every typed word must be on the service, in a draft or in the trash.

  --seed S       of what they do: 1 without one; their timing differs each time
  --minutes M    so many minutes: 10 without a number

Exits with 1 where a word was lost or a write was sent twice.
`;

const values = readOptions({
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '10' },
  help: { type: 'boolean', default: false },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  process.stderr.write('The seed is a whole number, and the minutes are a number above 0.\n');
  process.exit(2);
}
await using host = await startSurvivingHost();
const { broken, figures } = await runDuel(host, { seed, milliseconds: minutes * 60_000 });
const done = Object.entries(figures).map(([name, number]) => `${number} x ${name}`);
process.stdout.write(`seed ${seed}, ${minutes} minutes: ${done.join(', ')}\n`);
if (broken.length > 0) {
  process.stdout.write(`BROKEN\n  ${broken.join('\n  ')}\n`);
  process.exitCode = 1;
} else process.stdout.write('held: nothing lost, nothing sent twice\n');
