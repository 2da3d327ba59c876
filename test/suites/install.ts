/** Installs the packages of the suites, which are no packages of hostdeck, on first use. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** Packages with data alone are small; those with tools are some four hundred. */
export type Packages = 'data' | 'tools';

/** The folder of the packages: beside the suites, hostdeck's own modules would come from there. */
export const packages = path.join(import.meta.dirname, '../../node_modules/.cache/hostdeck/suites');

/** Installs what is missing. Resolves with the reason why it can't be; undefined where it is there. */
export async function install(wanted: Packages): Promise<string | undefined> {
  const stamp = path.join(packages, 'installed');
  const lock = readFileSync(path.join(import.meta.dirname, 'package-lock.json'), 'utf8');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (installed === `tools ${lock}` || installed === `${wanted} ${lock}`) return undefined;
  mkdirSync(packages, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(import.meta.dirname, file), path.join(packages, file));
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const patience = ['--fetch-retries=1', '--fetch-timeout=30000'];
  const omitted = wanted === 'data' ? ['--omit=dev'] : [];
  const npm = spawn('npm', [...args, ...patience, ...omitted], {
    cwd: packages,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(npm.stderr);
  const [status] = await once(npm, 'close');
  if (status !== 0) return (await said).trim().split('\n')[0] ?? `npm ended with ${status}`;
  writeFileSync(stamp, `${wanted} ${lock}`);
  return undefined;
}

/** Imports a module of these packages, whose types the project's own packages don't know. */
export async function importPackage(file: string): Promise<unknown> {
  return import(path.join(packages, 'node_modules', file));
}
