import type { WriteStream } from 'node:tty';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { type Check, checkLines, checkView } from './check.ts';
import { checkDisk, checkEngine, checkIsolation } from './check-machine.ts';
import { checkService } from './check-service.ts';
import { checkLocale, checkNode, checkTerminal, checkTimeZone } from './check-terminal.ts';

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
