import type { WriteStream } from 'node:tty';
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { type Check, checkLines, checkView, failCheck, okCheck, warnCheck } from './check.ts';
import { checkService } from './check-service.ts';
import type { Folders } from '../../config/environment.ts';
import { leastMinFreeBytes, readFreeBytes } from '../../host/disk-space.ts';
import { EngineFinder } from '../../host/engine/engine-finder.ts';
import { findEngineEndpoints } from '../../host/engine/engine-place.ts';
import { findProgram } from '../../host/isolation/programs.ts';
import { timeZoneName, timeZoneProblem } from '../../config/time-zone.ts';
import { type ColourDepth, colourDepth, supportsUnicode } from '../../terminal/screen/colour.ts';
import { drawingObstacle } from '../../terminal/traits.ts';

interface DoctorFlags {
  readonly profile: string | undefined;
  readonly 'base-url': string | undefined;
}

/** Checks this machine and the service, and prints a row a check; 1 where one of them fails. */
export async function examine(
  context: CommandContext,
  { flags }: CommandWords<DoctorFlags>,
): Promise<ExitCode> {
  const { columns, env, folders, isTerminal, options, output, stdout } = context;
  const rows = isTerminal ? (stdout as WriteStream).rows : undefined;
  const [service, engine, isolation] = await Promise.all([
    checkService(context, { profile: flags.profile, baseUrl: flags['base-url'] }),
    checkEngine(env),
    checkIsolation(env, process.platform),
  ]);
  const checks: readonly Check[] = [
    checkNode(process.versions.node),
    checkTerminal(env, { isTerminal, columns, rows }),
    checkLocale(env),
    checkTimeZone(env),
    ...service,
    engine,
    isolation,
    ...checkDisk(folders),
  ];
  const isDrawn = isTerminal && !options.json && !options.quiet;
  if (isDrawn) await output.write(`${checkLines(checks).join('\n')}\n`);
  else {
    const printed = await output.list(checks, checkView);
    if (printed !== exitCodes.done) return printed;
  }
  return checks.some(({ state }) => state === 'fail') ? exitCodes.failed : exitCodes.done;
}

/** Checks whether a container engine answers. */
async function checkEngine(env: NodeJS.ProcessEnv): Promise<Check> {
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
function checkDisk({ data, state }: Pick<Folders, 'data' | 'state'>): readonly Check[] {
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

/** Oldest major version of Node that runs hostdeck; the same as `engines` in package.json. */
const oldestNode = 24;

/** Checks the version of Node, such as `26.10.0`. */
function checkNode(version: string): Check {
  return Number.parseInt(version, 10) >= oldestNode
    ? okCheck('node', version)
    : failCheck('node', `${version} is too old.`, `Install Node ${oldestNode} or newer.`);
}

const colours: Readonly<Record<ColourDepth, string>> = {
  none: 'no colours',
  '16': '16 colours',
  '256': '256 colours',
  true: 'true colour',
};

/** Facts about the terminal that a command writes to. */
interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number | undefined;
}

/** Checks whether the console can draw on the terminal, and with which colours. */
function checkTerminal(
  env: NodeJS.ProcessEnv,
  { isTerminal, columns, rows }: TerminalFacts,
): Check {
  const { TERM: term = '' } = env;
  if (!isTerminal) return okCheck('terminal', 'none here; commands need none, the console does');
  if (drawingObstacle(env) !== undefined) {
    return warnCheck(
      'terminal',
      `TERM is ${term === '' ? 'not set' : term}, so the console can't draw.`,
      'Set TERM to the name of your terminal, such as xterm-256color. Commands work.',
    );
  }
  const size = rows === undefined ? '' : `, ${columns}x${rows}`;
  const finding = `${term}, ${colours[colourDepth(env)]}${size}`;
  return columns < leastColumns || (rows ?? leastRows) < leastRows
    ? warnCheck('terminal', finding, `Enlarge it to ${leastColumns}x${leastRows} or more.`)
    : okCheck('terminal', finding);
}

/** Smallest terminal that the console draws its panes on. */
const leastColumns = 40;
const leastRows = 10;

/** Checks whether local times are those of the zone that TZ means. */
function checkTimeZone(env: NodeJS.ProcessEnv): Check {
  const problem = timeZoneProblem(env);
  return problem === undefined
    ? okCheck('time zone', timeZoneName())
    : warnCheck('time zone', problem.sentence, problem.next);
}

/** Checks whether the locale lets the console draw more than ASCII. */
function checkLocale(env: NodeJS.ProcessEnv): Check {
  const name = ['LC_ALL', 'LC_CTYPE'].find((each) => env[each]) ?? 'LANG';
  const value = env[name] ?? '';
  const shown = value === '' ? 'No locale is set.' : `${name} is ${value}`;
  if (supportsUnicode(env)) return okCheck('locale', `${shown}, UTF-8`);
  return /utf-?8/i.test(value)
    ? okCheck('locale', `${shown}; this terminal draws ASCII only`)
    : warnCheck('locale', shown, 'The console draws ASCII only. For more, set LANG=C.UTF-8.');
}
