/** Prints the log of a deployment. */
import { defaultLogLimit } from '../../contract/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { mergeLogMemory } from '../../config/log-memory.ts';
import { configurationProblem } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { findLog } from './find-log.ts';
import { follows, type LogFlags } from './log-flags.ts';
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
  noteUnknownService(found.deployment, flags.service, note);
  const { 'log-lines': maxLines, 'log-bytes': maxBytes } = flags;
  return runLogs({
    client,
    clock,
    random: Math.random,
    id: found.id,
    service: flags.service,
    search: flags.search,
    limit: flags.limit ?? defaultLogLimit,
    follow: follows(flags),
    historyTimeout: flags['history-timeout'],
    backfill: flags.backfill,
    json: options.json,
    isVisible: isTerminal,
    memory: mergeLogMemory([{ maxLines, maxBytes }, service.logMemory.value]),
    stdout,
    note,
    signal,
  });
}

/** Warns of an unknown service, which would look like a silent one; the list may be incomplete. */
function noteUnknownService(
  deployment: Deployment | undefined,
  service: string | undefined,
  note: Say,
): void {
  const names = deployment?.services.map(({ name }) => name) ?? [];
  if (service === undefined || names.length === 0 || names.includes(service)) return;
  note(`No service is named ${service}. The services are ${names.join(', ')}.`);
}
