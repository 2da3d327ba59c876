/** Checks of what a host on this machine needs: an engine, isolation, and disk space. */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Folders } from '../../config/environment.ts';
import { leastMinFreeBytes, readFreeBytes } from '../../host/disk-space.ts';
import { EngineFinder } from '../../host/engine/engine-finder.ts';
import { findEngineEndpoints } from '../../host/engine/engine-place.ts';
import { findProgram } from '../../host/isolation/programs.ts';
import { type Check, failCheck, okCheck, warnCheck } from './check.ts';

/** Checks whether a container engine answers. */
export async function checkEngine(env: NodeJS.ProcessEnv): Promise<Check> {
  const finder = new EngineFinder(env);
  const found = await finder.find();
  if ('failure' in found) {
    const places = findEngineEndpoints(env);
    const isNamed = 'failure' in places || (env['DOCKER_HOST'] ?? '') !== '';
    const next = 'A host here runs commands, no images. For images, start Docker or Podman.';
    return warnCheck(
      'engine',
      isNamed ? `${found.failure}.` : 'No container engine answers.',
      isNamed ? 'Check DOCKER_HOST.' : next,
    );
  }
  return okCheck('engine', 'a container engine answers');
}

/** Milliseconds for a sandbox to be created. */
const sandboxTimeout = 10_000;

/** Checks whether bubblewrap can create a sandbox. */
export async function checkIsolation(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<Check> {
  const next =
    'Services of a host here can read your files, so it runs your own wallet alone. Install bubblewrap.';
  if (platform !== 'linux') {
    return warnCheck('isolation', 'needs Linux.', 'Run services as containers.');
  }
  const bubblewrap = findProgram('bwrap', env['PATH']);
  if (bubblewrap === undefined) {
    return warnCheck('isolation', 'bubblewrap (bwrap) is not installed.', next);
  }
  const args = ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '/bin/sh', '-c', ':'];
  try {
    await promisify(execFile)(bubblewrap, args, { timeout: sandboxTimeout });
    return okCheck('isolation', 'bubblewrap creates sandboxes');
  } catch (error) {
    const [line = ''] = stderrOf(error).trim().split('\n');
    const why = line === '' ? '' : ` (${line})`;
    return warnCheck(
      'isolation',
      `bubblewrap can't create a sandbox here${why}.`,
      'Allow user namespaces, or run services as containers.',
    );
  }
}

function stderrOf(error: unknown): string {
  return error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
}

/** Free bytes that a host keeps by default (`--min-free`). */
const comfortableBytes = 256 * 2 ** 20;

/** Checks the folders of state and data: whether they can be written to, and their disk space. */
export function checkDisk({ data, state }: Pick<Folders, 'data' | 'state'>): readonly Check[] {
  return [checkFolder('state', state), checkFolder('data', data)];
}

function checkFolder(name: string, folder: string): Check {
  const place = existingParent(folder);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    const free = readFreeBytes(place);
    const finding = `${folder}, ${formatBytes(free)} free`;
    if (free >= comfortableBytes) return okCheck(name, finding);
    const next = 'Free some disk space: a host refuses new work below 256 MiB.';
    return free < leastMinFreeBytes
      ? failCheck(name, finding, next)
      : warnCheck(name, finding, next);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return failCheck(name, `Can't write to ${place} (${code}).`, 'Make it writable for you.');
  }
}

/** Returns the folder, or the nearest one above it that there is. */
function existingParent(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : existingParent(parent);
}

function formatBytes(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;
}
