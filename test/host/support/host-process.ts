/** Runs one host command as a process of its own: the command as JSON is the only argument. */
import './ends-with-parent.ts';
import { type HostCommand, runHostCommand } from '../../../source/host/command.ts';

process.exitCode = await runHostCommand(JSON.parse(process.argv[2] ?? '') as HostCommand, {
  out: (line) => {
    process.stdout.write(`${line}\n`);
  },
  note: (line) => {
    process.stderr.write(`${line}\n`);
  },
});
