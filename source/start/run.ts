import { homedir } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };
import type { ConsoleInvocation, Invocation } from '../config/arguments.ts';
import type { Usage } from '../config/flags.ts';
import type { HostInvocation } from '../config/host-arguments.ts';
import type { FirstFrame } from './first-frame.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { foldersOf, type ConfigProblem } from '../config/environment.ts';
import { mergeLogMemory, readLogMemory } from '../config/log-memory.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import { readProofSeconds } from '../config/proof-length.ts';
import { readRestartDelay } from '../config/restart-delay.ts';
import { chooseService } from '../config/service-target.ts';
import { applyTimeZone, timeZoneProblem } from '../config/time-zone.ts';
import { createServices } from './services.ts';
import { connect } from './session.ts';
import { runConsole } from './start.ts';
import { sanitize } from '../terminal/screen/sanitize.ts';
import { drawingObstacle, isScreenReader } from '../terminal/traits.ts';
import type { Commands } from '../view/command/registry.ts';
import { loadView } from './load-view.ts';

const folders = foldersOf(process.env, homedir());

/**
 * Runs a command and returns its exit code: 0, or 1 for an error.
 * @param entry path of the program, to start the host with.
 * @param frame the first frame that the terminal shows already, for the console.
 * @param onStarted called once the console has its first data.
 */
export async function run(
  invocation: Exclude<Invocation, Usage>,
  entry: string,
  frame?: FirstFrame,
  onStarted?: () => void,
): Promise<number> {
  applyTimeZone(process.env);
  switch (invocation.kind) {
    case 'host':
    case 'token':
    case 'wallet':
    case 'backup':
    case 'restore':
      return runHost(invocation);
    case 'console':
      return runWithService(invocation, entry, frame, onStarted);
  }
}

async function runHost(invocation: HostInvocation): Promise<number> {
  const { runHostCommand } = await import('../host/command.ts');
  const place = { data: invocation.data ?? folders.data, version: packageJson.version };
  const output = {
    print: (line: string) => process.stdout.write(`${line}\n`),
    printNote: note,
  };
  return runHostCommand({ ...invocation, ...place }, output);
}

/** Connects to the service, and runs the console. */
async function runWithService(
  invocation: ConsoleInvocation,
  entry: string,
  frame?: FirstFrame,
  onStarted?: () => void,
): Promise<number> {
  const { stdin, stdout } = process;
  if (!(stdin.isTTY && stdout.isTTY)) {
    const next = 'Use hostdeck logs NAME in a pipe.';
    return fail({ sentence: 'The console needs a terminal.', next });
  }
  const screenReader = invocation.screenReader || isScreenReader(process.env);
  const obstacle = screenReader ? undefined : drawingObstacle(process.env);
  if (obstacle !== undefined) {
    const next = 'hostdeck logs NAME prints a log.';
    return fail({ sentence: obstacle, next });
  }
  const config = await readConfigFile(folders.config, homedir());
  if (!config.ok) return fail(config.problem, frame);
  if (invocation.incident !== undefined) {
    return runIncident(invocation.incident, { ...invocation, screenReader }, config.value);
  }
  const choice = chooseService(process.env, invocation, config.value);
  if (!choice.ok) return fail(choice.problem, frame);
  const delay = readRestartDelay(process.env);
  if (!delay.ok) return fail(delay.problem, frame);
  const proof = readProofSeconds(process.env);
  if (!proof.ok) return fail(proof.problem, frame);
  const memory = readLogMemory(process.env);
  if (!memory.ok) return fail(memory.problem, frame);
  const { ascii, unicode, open } = invocation;
  const bound = await readBoundCommands(config.value);
  const services = createServices({
    config: config.value,
    choice: choice.value,
    restartDelay: delay.value,
    proofSeconds: proof.value,
    env: process.env,
    folders,
    entry,
    onHostStart: () => frame?.showHostStart(),
  });
  const limits = [invocation.logMemory, memory.value, config.value.logMemory];
  // A screen reader has no first frame, and the service may take a while.
  if (screenReader) process.stdout.write('Starting hostdeck...\n');
  const reached = await services.first();
  if (!reached.ok) return fail(reached.problem, frame);
  const { service, restartDelay, proofSeconds, alerts } = reached.value;
  const { theme = 'auto', bell: hasBell = true } = config.value;
  const defaultViews = { theme, hasBell };
  const settings = {
    services,
    folders,
    ascii,
    unicode,
    screenReader,
    restartDelay,
    proofSeconds,
    alerts,
    restartDelayFlag: invocation.restartDelay,
    logMemory: mergeLogMemory(limits),
    defaultViews,
    commands: bound.commands,
    warnings: warningsOf(config.value, bound),
  };
  // A deployment that is opened by a name needs it first.
  if (open !== undefined && service.token === '') {
    return fail({ sentence: 'A service is set, but no token.', next: tokenAdvice }, frame);
  }
  const connected = connect(service);
  if (open === undefined) {
    await runConsole(connected, { ...settings, frame, onStarted });
    return 0;
  }
  const { client } = connected;
  const { findOpenedDeployment } = await import('./opened-deployment.ts');
  const found = await findOpenedDeployment(client, open);
  if (!found.ok) {
    for (const line of found.lines) process.stderr.write(`${line}\n`);
    service.leave();
    await client.close();
    return found.exit;
  }
  await runConsole(connected, { ...settings, open: found.id });
  return 0;
}

/** Lines of an incident file that are loaded at once: its log is at hand, and the histogram shows all of it. */
const firstLines = 20_000;

/** Shows an incident file in the console. */
async function runIncident(
  file: string,
  { ascii, unicode, screenReader }: ConsoleInvocation,
  config: ConfigFile,
): Promise<number> {
  const bound = await readBoundCommands(config);
  // A large file takes seconds.
  process.stdout.write(`Opening ${sanitize(file)}...\n`);
  const { openIncident } = await import('./open-incident.ts');
  const opened = await openIncident(file);
  if (!opened.ok) return fail(opened.problem);
  const { connected, history, marks } = opened.value;
  const { theme = 'auto', bell: hasBell = true } = config;
  await runConsole(connected, {
    services: undefined,
    folders,
    ascii,
    unicode,
    screenReader,
    logMemory: { ...config.logMemory, initialLines: firstLines },
    defaultViews: { theme, hasBell },
    commands: bound.commands,
    warnings: warningsOf(config, bound),
    // Failures of then ring no bell now, and nothing restarts.
    alerts: [],
    proofSeconds: 0,
    earlierHistory: history,
    earlierMarks: marks,
  });
  return 0;
}

/** Returns what the console says about the configuration with which it starts all the same. */
function warningsOf(
  { warnings }: Pick<ConfigFile, 'warnings'>,
  bound: BoundCommands,
): readonly ConfigProblem[] {
  return [timeZoneProblem(process.env), ...warnings, ...bound.warnings].filter(
    (problem) => problem !== undefined,
  );
}

const tokenAdvice = 'Set HOSTDECK_TOKEN, or a tokenFile, or store one with :token in the console.';

function fail({ sentence, next }: ConfigProblem, frame?: FirstFrame): number {
  frame?.leave();
  note(`${sentence} ${next}`.trim());
  return 1;
}

/** Writes a line to stderr, sanitized because it may hold names from a service. */
function note(line: string): void {
  process.stderr.write(`${sanitize(line)}\n`);
}

interface BoundCommands {
  /** Undefined where the file binds no key, so that such a start loads the view later. */
  readonly commands: Commands | undefined;
  /** The refused bindings with their lines, in the order of the file. */
  readonly warnings: readonly ConfigProblem[];
}

/** Returns the commands with the keys of the configuration. */
async function readBoundCommands({
  path,
  keys,
}: Pick<ConfigFile, 'path' | 'keys'>): Promise<BoundCommands> {
  if (keys.size === 0) return { commands: undefined, warnings: [] };
  const { bindConfiguredKeys } = await loadView();
  const bindings = new Map([...keys].map(([id, setting]) => [id, setting.keys]));
  const { commands, mistakes } = bindConfiguredKeys(bindings);
  const lineOf = (id: string): number => keys.get(id)?.line ?? 1;
  const warnings = mistakes
    .toSorted((one, other) => lineOf(one.id) - lineOf(other.id))
    .map(({ id, sentence, next }) => ({
      sentence: `${path} line ${lineOf(id)}: ${sentence}`,
      next,
    }));
  return { commands, warnings };
}
