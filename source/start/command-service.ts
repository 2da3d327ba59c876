/** Connects a command to its service, and leaves the service when the command has ended. */
import { createClient } from '../client/client.ts';
import {
  CommandFailure,
  type CommandProblem,
  configuredValue,
  exitOf,
  usageProblem,
} from '../commands/command-problem.ts';
import { type ExitCode, exitCodes } from '../commands/exit-codes.ts';
import type { CommandContext } from '../commands/table/command-context.ts';
import type { CommandWords, ServiceCommandSpec } from '../commands/table/command-spec.ts';
import { mergeLogMemory, readLogMemory } from '../config/log-memory.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import { proofSecondsOf, readProofSeconds } from '../config/proof-length.ts';
import { readRestartDelay } from '../config/restart-delay.ts';
import {
  alertRulesOf,
  chooseService,
  readTarget,
  restartDelayOf,
  type ServiceFlags,
} from '../config/service-target.ts';
import { createRestartTimes, withRestartTimes } from '../disk/restart-times.ts';
import { profileName } from '../store/deck/profile.ts';
import { reachService, type ServiceConnection } from './host-connection.ts';

export interface ConnectedRun {
  readonly context: CommandContext;
  readonly command: ServiceCommandSpec;
  readonly words: CommandWords;
  readonly connection: ServiceFlags;
  /** Path of the program, to start the host with. */
  readonly entry: string;
}

/**
 * Runs a command with its service. Resolves with its exit code; rejects with a `CommandFailure` where
 * it has no service to run with.
 */
export async function runWithConnection(run: ConnectedRun): Promise<ExitCode> {
  const { context, command, words } = run;
  const { output, options, signal } = context;
  const { service, ...settings } = await reachForCommand(run);
  if (service.notice !== undefined) output.note(service.notice);
  const { baseUrl, token, profile, streamAuth, stateKey, readOnly: isReadOnly } = service;
  if (isReadOnly && command.writes === true && !options.dryRun) {
    service.leave();
    throw new CommandFailure(readOnlyProblem(service));
  }
  const connected = createClient({
    baseUrl,
    token,
    wallet: profile.wallet,
    streamAuth,
    writeRefusal: () => (isReadOnly ? readOnlyProblem(service) : undefined),
  });
  const restarts = createRestartTimes(context.folders.state, stateKey);
  const client = withRestartTimes(connected, restarts, () => context.clock.now());
  const end = (): void => void client.close();
  if (command.finishesWrites !== true) signal.addEventListener('abort', end);
  try {
    const start = await command.run();
    const connection = { baseUrl, token, profile, isReadOnly, stateKey, flags: run.connection };
    const exit = await exitOf(
      start({ ...context, client, service: { ...connection, ...settings } }, words),
      (problem) => output.fail(problem),
    );
    const isDone = exit === exitCodes.done || signal.aborted;
    const startsServices = command.startsServices === true && !options.dryRun && isDone;
    if (startsServices && (await service.endsAfterLeave?.()) === true) output.note(endingHost);
    return exit;
  } finally {
    signal.removeEventListener('abort', end);
    service.leave();
    await client.close();
  }
}

const endingHost =
  'The host on this machine ends with this command, and its deployments stop until its next start. ' +
  'hostdeck host keeps it running.';

/**
 * Reads the configuration and the token, and starts the host on this machine if needed. Rejects with a
 * `CommandFailure`.
 */
async function reachForCommand({
  command,
  context: { env, folders, home, output },
  connection,
  entry,
}: ConnectedRun) {
  const config = configuredValue(await readConfigFile(folders.config, home, command.needsAlerts));
  for (const warning of command.needsAlerts === true ? config.warnings : []) output.warn(warning);
  const choice = configuredValue(chooseService(env, connection, config));
  const delay = configuredValue(readRestartDelay(env));
  const proof = configuredValue(readProofSeconds(env));
  const target = configuredValue(await readTarget(choice, env, folders.config));
  if (target.kind === 'remote' && target.token === '') {
    const next = 'Set HOSTDECK_TOKEN, or a tokenFile, or store one with :token in the console.';
    throw new CommandFailure(usageProblem('A service is set, but no token.', next));
  }
  const service = await reachService(target, folders, entry);
  if (!service.ok) {
    const { sentence, next } = service.problem;
    const { unreachable: exit } = exitCodes;
    throw new CommandFailure({ exit, code: 'unreachable', sentence, next });
  }
  const memory = readLogMemory(env);
  return {
    service: service.value,
    isLocal: target.kind === 'local',
    restartDelay: restartDelayOf(choice, delay),
    proofSeconds: proofSecondsOf(choice, proof),
    alerts: alertRulesOf(choice, config),
    logMemory: memory.ok
      ? { ...memory, value: mergeLogMemory([memory.value, config.logMemory]) }
      : memory,
  };
}

function readOnlyProblem({ profile }: ServiceConnection): CommandProblem {
  return {
    exit: exitCodes.notAllowed,
    code: 'read-only',
    sentence: `${profileName(profile)} is read-only.`,
    next: 'Use another profile, or remove readOnly from this one.',
  };
}
