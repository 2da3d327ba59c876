/** Linters of shells and manuals, on the scripts of the repository, the completions and the manual page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  completionFiles,
  completionScripts,
  completionShells,
} from '../../source/commands/completion/completion-scripts.ts';
import { manualPage } from '../../source/commands/man/manual-page.ts';
import { commandTable } from '../../source/commands/table/command-table.ts';
import type { Report, Skips } from './report.ts';

export const scriptSkips: Skips = {};

const root = path.join(import.meta.dirname, '../..');

export async function checkScripts(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-scripts-'));
  const page = path.join(folder, 'hostdeck.1');
  writeFileSync(page, manualPage(commandTable, { version: '1.2.3', date: '2026-11-25' }));
  for (const shell of completionShells) {
    writeFileSync(path.join(folder, completionFiles[shell]), completionScripts[shell]);
  }
  if (report.has('mandoc', 'mandoc')) {
    await report.check('mandoc', () => outputOf('mandoc', ['-Tlint', page]));
  }
  for (const shell of completionShells) {
    if (!report.has(shell, shell)) continue;
    const script = path.join(folder, completionFiles[shell]);
    await report.check(`${shell} completion`, () => outputOf(shell, ['-n', script]));
  }
  if (report.has('shellcheck', 'shellcheck')) {
    const bash = path.join(folder, completionFiles.bash);
    await report.check('shellcheck of the completion', () =>
      outputOf('shellcheck', ['--shell=bash', bash]),
    );
    for (const script of await shellScripts()) {
      await report.check(`shellcheck of ${script}`, () => outputOf('shellcheck', ['-x', script]));
    }
  }
  rmSync(folder, { recursive: true });
}

/** Returns the files of the repository that begin with the name of a shell. */
async function shellScripts(): Promise<readonly string[]> {
  const listed = (await outputOf('git', ['ls-files', '-z'])) ?? '';
  const firstLine = (file: string) => readFileSync(path.join(root, file), 'latin1').slice(0, 40);
  return listed
    .split('\0')
    .filter((file) => /^(?!.*\.\w+$)|\.sh$/.test(file) && file !== '')
    .filter((file) => /^#!.*\b(?:ba|da)?sh\b/.test(firstLine(file)));
}

/** Resolves with what a program writes; undefined where it is silent and ends with 0. */
async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await once(child, 'close');
  const said = (await output).join('').trim();
  return said === '' && status === 0 ? undefined : said || `It ended with ${status}.`;
}
