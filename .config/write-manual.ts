/** Writes what is generated from the table of commands into dist/: man page and completions. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  completionFiles,
  completionScripts,
  completionShells,
} from '../source/commands/completion/completion-scripts.ts';
import { manualPage } from '../source/commands/man/manual-page.ts';
import { commandTable } from '../source/commands/table/command-table.ts';

/** Writes `man/hostdeck.1` and `completions/` into the folder `dist` of the repository. */
export function writeManual(root: string): void {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const manual = path.join(root, 'dist/man');
  const completions = path.join(root, 'dist/completions');
  for (const folder of [manual, completions]) mkdirSync(folder, { recursive: true });
  const page = manualPage(commandTable, { version, date: buildDate(process.env) });
  writeFileSync(path.join(manual, 'hostdeck.1'), page);
  for (const shell of completionShells) {
    writeFileSync(path.join(completions, completionFiles[shell]), completionScripts[shell]);
  }
}

/** Returns today, or the day of SOURCE_DATE_EPOCH, by which builds can be reproduced. */
function buildDate({ SOURCE_DATE_EPOCH: epoch }: NodeJS.ProcessEnv): string {
  const date = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  return date.toISOString().slice(0, 10);
}
