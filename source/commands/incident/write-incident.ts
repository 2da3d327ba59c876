/** Writes the incident file of a deployment, or prints what it would mask. */
import { beginFile } from '../../disk/begin-file.ts';
import { packIncident } from '../../disk/incident-file.ts';
import { writeLocalFile } from '../../store/transfers/write-file.ts';
import { timeZoneProblem } from '../../config/time-zone.ts';
import { configurationProblem, failureProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { findLocalTarget } from '../files/local-target.ts';
import { findLog } from '../logs/find-log.ts';
import type { TimeRangeFlags } from '../logs/time-range.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { maskedView, writtenView } from './incident-view.ts';
import { type BuiltIncident, buildIncident } from './build-incident.ts';
import { readIncidentSpan } from './incident-span.ts';

interface IncidentFlags extends TimeRangeFlags {
  readonly output: string | undefined;
  readonly 'dry-run': boolean;
}

export async function writeIncident(
  context: ServiceCommandContext,
  { args: [name = ''], flags }: CommandWords<IncidentFlags>,
): Promise<ExitCode> {
  const { output, confirm, cwd, signal, service } = context;
  if (!service.logMemory.ok) return output.fail(configurationProblem(service.logMemory.problem));
  const target = flags['dry-run']
    ? undefined
    : await findLocalTarget('incident.gz', flags.output, { cwd });
  if (target?.ok === false) return output.fail(target.problem);
  if (target?.isTaken === true) {
    const refusal = await confirm.ask({ facts: [], question: `Replace ${target.file}?` });
    if (refusal !== undefined) return output.fail(refusal);
  }
  const built = await build(context, name, flags);
  if (!built.ok)
    return built.problem === undefined ? exitCodes.interrupted : output.fail(built.problem);
  const { incident, isShort } = built;
  for (const sentence of incident.missing) output.note(sentence);
  if (target === undefined) return output.list(incident.masked.counts, maskedView);
  if (signal.aborted) return exitCodes.interrupted;
  const bytes = await packIncident(incident);
  const to = { file: target.file, replaces: target.isTaken };
  const reason = await writeLocalFile({ begin: beginFile }, to, bytes);
  if (reason !== undefined) {
    return output.fail(failureProblem(`Can't write ${target.file}: ${reason}.`, '', 'local'));
  }
  const exit = await output.record(
    { file: target.file, size: bytes.length, incident },
    writtenView,
  );
  return isShort ? worstExitCode([exit, exitCodes.unreachable]) : exit;
}

async function build(
  context: ServiceCommandContext,
  name: string,
  flags: IncidentFlags,
): Promise<BuiltIncident> {
  const { client, signal, clock } = context;
  context.output.warn(timeZoneProblem(context.env));
  const found = await findLog(createDeploymentFinder(client, signal), name);
  if (!found.ok) return found;
  const span = readIncidentSpan(flags, clock.now() + client.clockOffset());
  if (!span.ok) return span;
  return buildIncident(context, { id: found.id, listed: found.deployment, ...span.value });
}
