/** Runs one host command in a separate process; the only argument is the command as JSON. */
import './ends-with-parent.ts';
import { type HostCommand, runHostCommand } from '../../../source/host/command.ts';

const command = JSON.parse(process.argv[2] ?? '') as HostCommand;
// Deployments of tests are free for every wallet.
const free = { ...command, limits: { minAmount: 0n } };
process.exitCode = await runHostCommand(command.kind === 'host' ? free : command, {
  print: (line) => {
    process.stdout.write(`${line}\n`);
  },
  printNote: (line) => {
    process.stderr.write(`${line}\n`);
  },
});
