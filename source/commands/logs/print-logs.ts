/** Prints the log of a deployment. */
import type { Deployment } from '../../contract/deployments.ts';
import { colourDepth } from '../../terminal/screen/colour.ts';
import { mergeLogMemory } from '../../config/log-memory.ts';
import { type CommandProblem, configurationProblem } from '../command-problem.ts';
import { problemJson } from '../output/problem-text.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { findLog } from './find-log.ts';
import { createLineFormat } from './line-format.ts';
import { follows, type LogFlags } from './log-flags.ts';
import { readLogPart } from './log-range.ts';
import type { Say } from './log-notes.ts';
import { runLogs } from './run-logs.ts';

/** Writes the last lines of a log, and live ones until it ends. */
export async function printLogs(
  context: ServiceCommandContext,
  { args: [name = ''], flags }: CommandWords<LogFlags>,
): Promise<ExitCode> {
  const { client, clock, env, options, output, signal, stdout, isTerminal, service } = context;
  const form = options.json ? 'json' : (flags.output ?? 'text');
  const fail = (problem: CommandProblem): ExitCode => {
    if (form !== 'json' || options.json) return output.fail(problem);
    context.stderr.write(`${JSON.stringify(problemJson(problem))}\n`);
    return problem.exit;
  };
  if (!service.logMemory.ok) return fail(configurationProblem(service.logMemory.problem));
  const found = await findLog(client, name, signal);
  if (!found.ok) return fail(found.problem);
  const note: Say = (sentence) => output.note(sentence);
  for (const typed of flags.service) noteUnknownService(found.deployment, typed, note);
  const now = (): number => clock.now() + client.clockOffset();
  const part = readLogPart(flags, now(), flags.timestamps === 'utc');
  if (!part.ok) return fail(part.problem);
  const { color = 'auto', 'log-lines': maxLines, 'log-bytes': maxBytes } = flags;
  const hasColours = colourDepth(env) !== 'none';
  return runLogs({
    client,
    clock,
    random: Math.random,
    id: found.id,
    ...part.value,
    search: flags.search,
    follow: follows(flags),
    historyTimeout: flags['history-timeout'],
    backfill: flags.backfill,
    format: createLineFormat({
      form,
      timestamps: flags.timestamps,
      id: found.id,
      isColoured: color === 'always' || (color === 'auto' && isTerminal && hasColours),
      isVisible: isTerminal,
      now,
    }),
    memory: mergeLogMemory([{ maxLines, maxBytes }, service.logMemory.value]),
    stdout,
    note,
    fail,
    signal,
  });
}

/** Warns of an unknown service, which would look like a silent one; the list may be incomplete. */
function noteUnknownService(deployment: Deployment | undefined, service: string, note: Say): void {
  const names = deployment?.services.map(({ name }) => name) ?? [];
  if (names.length === 0 || names.includes(service)) return;
  note(`No service is named ${service}. The services are ${names.join(', ')}.`);
}
