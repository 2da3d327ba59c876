/**
 * Writes what is generated: from the registered commands the key list of the README, docs/keys.md and
 * source/start/first-footer.ts; from the table of shell commands docs/commands.md; from the fixtures of
 * screens docs/pictures.
 * `npm run docs` bundles it, since Node runs no TSX, and runs it in the root of the repository; a test
 * fails while one of them is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { registeredCommands } from '../source/view/shell/commands.ts';
import { commandTable } from '../source/commands/table/command-table.ts';
import { commandsPage } from './command-docs.ts';
import { firstFooterModule, keysPage, readmeKeys } from './key-docs.ts';
import { backgrounds, drawPicture, pictured } from './screen-pictures.ts';

const root = process.cwd();
const readme = path.join(root, 'README.md');

const text = readFileSync(readme, 'utf8');
const [before, , after] = text.split(/(?<=<!-- keys.*-->\n)|(?=<!-- \/keys -->)/);
if (before === undefined || after === undefined) throw new Error('README.md has no list of keys');
writeFileSync(readme, `${before}${readmeKeys(registeredCommands)}\n${after}`);
mkdirSync(path.join(root, 'docs'), { recursive: true });
writeFileSync(path.join(root, 'docs/keys.md'), keysPage(registeredCommands));
writeFileSync(path.join(root, 'docs/commands.md'), commandsPage(commandTable));
writeFileSync(
  path.join(root, 'source/start/first-footer.ts'),
  firstFooterModule(registeredCommands),
);

for (const picture of pictured) {
  for (const background of backgrounds) {
    const file = path.join(root, `docs/pictures/${picture.name}-${background}.svg`);
    writeFileSync(file, drawPicture(picture, background, root));
  }
}
