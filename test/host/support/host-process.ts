/** Runs one host command in a separate process; the only argument is the command as JSON. */
import './ends-with-parent.ts';
import { type HostCommand, runHostCommand } from '../../../source/host/command.ts';

process.exitCode = await runHostCommand(JSON.parse(process.argv[2] ?? '') as HostCommand, {
  print: (line) => {
    process.stdout.write(`${line}\n`);
  },
  printNote: (line) => {
    process.stderr.write(`${line}\n`);
  },
});
