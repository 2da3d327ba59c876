/** Collects the licence texts of the packages that a bundle holds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** Names of files that hold a licence, its notice or a list of copyright holders. */
const licenceFile = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/** Folder of the innermost package of a bundled file; inputs of plugins begin with their namespace. */
const packageFolder = /^(?![\w-]+:)((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns the folders of the packages of which a bundling read at least one file.
 * @param root folder that the bundling ran in.
 */
export function bundledPackages(root: string, metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((input) => packageFolder.exec(input)?.[1] ?? []);
  return [...new Set(folders)].sort().map((folder) => path.join(root, folder));
}

/**
 * Returns the licence texts of packages, each text once, with the packages under it.
 * @param folders of the packages.
 * @param given folder with further texts, `NAME.txt` each with `+` for the slash of a scope: for
 * packages that are published without their licence, or hold another work without its licence.
 * @throws for a package without a licence text, and for a text in `given` that no package needs.
 */
export function licenceNotices(folders: readonly string[], given: string): string {
  const unused = new Set(readdirSync(given));
  const packagesByText = new Map<string, Set<string>>();
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const own = readdirSync(folder).filter((file) => licenceFile.test(file));
    const files = own.sort().map((file) => path.join(folder, file));
    const further = `${name.replace('/', '+')}.txt`;
    if (existsSync(path.join(given, further))) files.push(path.join(given, further));
    unused.delete(further);
    const text = files.map((file) => normalized(readFileSync(file, 'utf8'))).join('\n\n');
    if (text.trim() === '') {
      throw new Error(
        `${name} ${version} is bundled without a licence text. Put it into ${given}/${further}.`,
      );
    }
    packagesByText.set(text, (packagesByText.get(text) ?? new Set()).add(`${name} ${version}`));
  }
  const [first] = unused;
  if (first !== undefined)
    throw new Error(`No bundled package needs ${given}/${first}. Remove it.`);
  const sections = [...packagesByText].map(
    ([text, packages]) => `${[...packages].join('\n')}\n\n${text}\n`,
  );
  return [introduction, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

const introduction = 'hostdeck includes the following packages, each under the licence below it.\n';

/** The text with one form of line ends, without blanks at ends: equal licences become equal texts. */
function normalized(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
}
