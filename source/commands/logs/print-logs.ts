/** Prints the log of a deployment, or of several as one. */
import type { Deployment } from '../../contract/deployments.ts';
import { mergeLogMemory } from '../../config/log-memory.ts';
import { timeZoneProblem } from '../../config/time-zone.ts';
import { colourDepth } from '../../terminal/screen/colour.ts';
import { allOrFailure, configuredValue, exitOf } from '../command-problem.ts';
import { settledState } from '../deployments/deployment-goal.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder, findLog, type FoundLog } from '../names/find-deployment.ts';
import type { CommandOutput } from '../output/command-output.ts';
import { problemJson } from '../output/problem-text.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { createRestartTimes } from '../../disk/restart-times.ts';
import { createLineFormat, type LineLabel } from './line-format.ts';
import { follows, type LogFlags, type LogForm } from './log-flags.ts';
import { createPreviousRun } from './previous-run.ts';
import { readLogPart } from './log-range.ts';
import { type LogTarget, runLogs } from './run-logs.ts';
import { cellWidth, padCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';

/** Writes the last lines of logs, and live ones until they end. */
export async function printLogs(
  context: ServiceCommandContext,
  words: CommandWords<LogFlags>,
): Promise<ExitCode> {
  const { options, output, stderr } = context;
  const isJson = !options.json && words.flags.output === 'json';
  const fail: CommandOutput['fail'] = (problem) => {
    if (!isJson) return output.fail(problem);
    stderr.write(`${JSON.stringify(problemJson(problem))}\n`);
    return problem.exit;
  };
  return exitOf(print(context, words, fail), fail);
}

async function print(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<LogFlags>,
  fail: CommandOutput['fail'],
): Promise<ExitCode> {
  const { client, clock, options, output, signal, stdout, service } = context;
  const form = options.json ? 'json' : (flags.output ?? 'text');
  const logMemory = configuredValue(service.logMemory);
  const logs = await findLogs(context, args);
  const now = (): number => clock.now() + client.clockOffset();
  if (hasLocalTimes(flags)) output.warn(timeZoneProblem(context.env));
  const part = readLogPart(flags, now(), flags.timestamps === 'utc');
  noteUnknownServices(logs, flags.service, (sentence) => output.note(sentence));
  const { 'log-lines': maxLines, 'log-bytes': maxBytes } = flags;
  return runLogs({
    client,
    clock,
    random: Math.random,
    targets: targetsOf(logs, { ...flags, form, now }, context),
    ...part,
    search: flags.search,
    follow: follows(flags),
    historyTimeout: flags['history-timeout'],
    backfill: flags.backfill,
    memory: mergeLogMemory([{ maxLines, maxBytes }, logMemory]),
    stdout,
    note: (sentence) => output.note(sentence),
    fail,
    signal,
  });
}

/** Returns whether times without a zone are read, or local ones printed. */
function hasLocalTimes({ since, until, timestamps }: LogFlags): boolean {
  return timestamps === 'local' || (timestamps !== 'utc' && (since ?? until) !== undefined);
}

/** Finds the logs, each once. Rejects with the problems of all names that are wrong. */
async function findLogs(
  { client, signal }: ServiceCommandContext,
  names: readonly string[],
): Promise<readonly FoundLog[]> {
  const finder = createDeploymentFinder(client, signal);
  const found = await allOrFailure(new Set(names), (name) => findLog(finder, name));
  return [...new Map(found.map((log) => [log.id, log])).values()];
}

function isEnded(deployment: Deployment | undefined): boolean {
  return deployment !== undefined && settledState(deployment) === 'closed';
}

interface TargetOptions extends Pick<LogFlags, 'timestamps' | 'color' | 'previous' | 'service'> {
  readonly form: LogForm;
  readonly now: () => number;
}

/** Returns the logs with the forms of their lines, and the runs to write. */
function targetsOf(
  logs: readonly FoundLog[],
  { form, timestamps, color = 'auto', previous, service, now }: TargetOptions,
  { isTerminal, env, folders, service: { stateKey } }: ServiceCommandContext,
): readonly LogTarget[] {
  const isColoured =
    color === 'always' || (color === 'auto' && isTerminal && colourDepth(env) !== 'none');
  const restarts = createRestartTimes(folders.state, stateKey);
  const labels = logLabels(logs.map(({ id, deployment }) => ({ ...deployment, id })));
  return logs.map(({ id, deployment }, at) => {
    const label = logs.length > 1 ? labels[at] : undefined;
    return {
      id,
      label: label?.text.trim(),
      isEnded: isEnded(deployment),
      previousRun: previous
        ? createPreviousRun(
            { ...deployment, id, services: shownServices(deployment, service) },
            restarts.read(id),
          )
        : undefined,
      format: createLineFormat({
        form,
        timestamps,
        id,
        label,
        isColoured,
        isVisible: isTerminal,
        now,
      }),
    };
  });
}

/** Returns the services of a deployment whose lines are written. */
function shownServices(
  deployment: Deployment | undefined,
  wanted: readonly string[],
): Deployment['services'] {
  const services = deployment?.services ?? [];
  return wanted.length === 0 ? services : services.filter(({ name }) => wanted.includes(name));
}

/** Warns of unknown services, which would look like silent ones; the lists may be incomplete. */
function noteUnknownServices(
  logs: readonly FoundLog[],
  wanted: readonly string[],
  note: (sentence: string) => void,
): void {
  const told = logs.map(({ deployment }) => deployment?.services.map(({ name }) => name) ?? []);
  if (told.some((names) => names.length === 0)) return;
  const names = [...new Set(told.flat())];
  for (const service of wanted) {
    if (names.includes(service)) continue;
    note(`No service is named ${service}. The services are ${names.join(', ')}.`);
  }
}

const styles = [
  'cyan',
  'magenta',
  'green',
  'blue',
  'yellow',
  'cyanBright',
  'magentaBright',
] as const;

/**
 * Returns a name and a colour for each deployment, in their order; ids where names are missing or not
 * unique. All names are one word and have the same width.
 */
export function logLabels(
  deployments: readonly { readonly id: string; readonly name?: string | undefined }[],
): readonly LineLabel[] {
  const words = deployments.map(({ name = '' }) => sanitize(name).trim().replaceAll(/\s+/g, '_'));
  const texts = deployments.map(({ id }, at) => {
    const word = words[at] ?? '';
    const isUnique = words.indexOf(word) === words.lastIndexOf(word);
    return word !== '' && isUnique ? word : sanitize(id);
  });
  const width = Math.max(0, ...texts.map(cellWidth));
  return texts.map((text, at) => ({
    text: padCells(text, width),
    style: styles[at % styles.length] ?? 'cyan',
  }));
}
