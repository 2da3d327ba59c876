/** Prints the log of a deployment. */
import type { Deployment } from '../../contract/deployments.ts';
import { mergeLogMemory } from '../../config/log-memory.ts';
import { configurationProblem } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { findLog } from './find-log.ts';
import { follows, type LogFlags } from './log-flags.ts';
import { readLogPart } from './log-range.ts';
import type { Say } from './log-notes.ts';
import { runLogs } from './run-logs.ts';

/** Writes the last lines of a log, and live ones until it ends. */
export async function printLogs(
  context: ServiceCommandContext,
  { args: [name = ''], flags }: CommandWords<LogFlags>,
): Promise<ExitCode> {
  const { client, clock, options, output, signal, stdout, isTerminal, service } = context;
  if (!service.logMemory.ok) return output.fail(configurationProblem(service.logMemory.problem));
  const found = await findLog(client, name, signal);
  if (!found.ok) return output.fail(found.problem);
  const note: Say = (sentence) => output.note(sentence);
  for (const name of flags.service) noteUnknownService(found.deployment, name, note);
  const part = readLogPart(flags, clock.now() + client.clockOffset(), false);
  if (!part.ok) return output.fail(part.problem);
  const { 'log-lines': maxLines, 'log-bytes': maxBytes } = flags;
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
    json: options.json,
    isVisible: isTerminal,
    memory: mergeLogMemory([{ maxLines, maxBytes }, service.logMemory.value]),
    stdout,
    note,
    fail: (problem) => output.fail(problem),
    signal,
  });
}

/** Warns of an unknown service, which would look like a silent one; the list may be incomplete. */
function noteUnknownService(deployment: Deployment | undefined, service: string, note: Say): void {
  const names = deployment?.services.map(({ name }) => name) ?? [];
  if (names.length === 0 || names.includes(service)) return;
  note(`No service is named ${service}. The services are ${names.join(', ')}.`);
}
