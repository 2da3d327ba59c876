/** Connects a command to its service, and leaves the service when the command has ended. */
import { createClient } from '../client/client.ts';
import {
  type CommandProblem,
  configurationProblem,
  usageProblem,
} from '../commands/command-problem.ts';
import { type ExitCode, exitCodes } from '../commands/exit-codes.ts';
import type { CommandContext } from '../commands/table/command-context.ts';
import type { CommandWords, ServiceCommandSpec } from '../commands/table/command-spec.ts';
import type { Configured } from '../config/environment.ts';
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
import type { AlertRule } from '../store/alerts/rule.ts';
import { profileName } from '../store/deck/profile.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import type { RestartDelay } from '../store/restarts/state.ts';
import { reachService, type ServiceConnection } from './host-connection.ts';

export interface ConnectedRun {
  readonly context: CommandContext;
  readonly command: ServiceCommandSpec;
  readonly words: CommandWords;
  readonly connection: ServiceFlags;
  /** Path of the program, to start the host with. */
  readonly entry: string;
}

/** Runs a command with its service. Returns its exit code. */
export async function runWithConnection(run: ConnectedRun): Promise<ExitCode> {
  const { context, command, words } = run;
  const { output, options, signal } = context;
  const reached = await reachForCommand(run);
  if (!reached.ok) return output.fail(reached.problem);
  const { service, isLocal, restartDelay, proofSeconds, alerts, logMemory } = reached;
  if (service.notice !== undefined) output.note(service.notice);
  const { baseUrl, token, profile, streamAuth, stateKey, readOnly: isReadOnly } = service;
  if (isReadOnly && command.writes === true && !options.dryRun) {
    service.leave();
    return output.fail(readOnlyProblem(service));
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
    const exit = await start(
      {
        ...context,
        client,
        service: {
          baseUrl,
          token,
          profile,
          isReadOnly,
          isLocal,
          stateKey,
          restartDelay,
          proofSeconds,
          alerts,
          logMemory,
          flags: run.connection,
        },
      },
      words,
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

type ReachedForCommand =
  | {
      readonly ok: true;
      readonly service: ServiceConnection;
      readonly isLocal: boolean;
      readonly restartDelay: RestartDelay | undefined;
      readonly proofSeconds: number | undefined;
      readonly alerts: readonly AlertRule[] | undefined;
      readonly logMemory: Configured<LogMemory>;
    }
  | { readonly ok: false; readonly problem: CommandProblem };

/** Reads the configuration and the token, and starts the host on this machine if needed. */
async function reachForCommand({
  command,
  context: { env, folders, home, output },
  connection,
  entry,
}: ConnectedRun): Promise<ReachedForCommand> {
  const config = await readConfigFile(folders.config, home, command.needsAlerts);
  if (!config.ok) return { ok: false, problem: configurationProblem(config.problem) };
  for (const warning of command.needsAlerts === true ? config.value.warnings : [])
    output.warn(warning);
  const choice = chooseService(env, connection, config.value);
  if (!choice.ok) return { ok: false, problem: configurationProblem(choice.problem) };
  const delay = readRestartDelay(env);
  if (!delay.ok) return { ok: false, problem: configurationProblem(delay.problem) };
  const proof = readProofSeconds(env);
  if (!proof.ok) return { ok: false, problem: configurationProblem(proof.problem) };
  const target = await readTarget(choice.value, env, folders.config);
  if (!target.ok) return { ok: false, problem: configurationProblem(target.problem) };
  const isLocal = target.value.kind === 'local';
  if (target.value.kind === 'remote' && target.value.token === '') {
    const next = 'Set HOSTDECK_TOKEN, or a tokenFile, or store one with :token in the console.';
    return { ok: false, problem: usageProblem('A service is set, but no token.', next) };
  }
  const service = await reachService(target.value, folders, entry);
  if (!service.ok) {
    const { sentence, next } = service.problem;
    const problem = { exit: exitCodes.unreachable, code: 'unreachable', sentence, next };
    return { ok: false, problem };
  }
  const restartDelay = restartDelayOf(choice.value, delay.value);
  const memory = readLogMemory(env);
  const logMemory = memory.ok
    ? { ...memory, value: mergeLogMemory([memory.value, config.value.logMemory]) }
    : memory;
  const proofSeconds = proofSecondsOf(choice.value, proof.value);
  const alerts = alertRulesOf(choice.value, config.value);
  const settings = { restartDelay, proofSeconds, alerts, logMemory };
  return { ok: true, service: service.value, isLocal, ...settings };
}

function readOnlyProblem({ profile }: ServiceConnection): CommandProblem {
  return {
    exit: exitCodes.notAllowed,
    code: 'read-only',
    sentence: `${profileName(profile)} is read-only.`,
    next: 'Use another profile, or remove readOnly from this one.',
  };
}
