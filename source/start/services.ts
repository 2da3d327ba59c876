import { type ConfigFile, type ConfiguredProfile, localProfile } from '../config/config-file.ts';
import { type Configured, type Folders, nonEmpty } from '../config/environment.ts';
import { proofSecondsOf } from '../config/proof-length.ts';
import {
  alertRulesOf,
  readTarget,
  restartDelayOf,
  type ServiceChoice,
} from '../config/service-target.ts';
import type { AlertRule } from '../store/alerts/rule.ts';
import type { ServiceOption } from '../store/deck/connection.ts';
import type { RestartDelay } from '../store/restarts/state.ts';
import { reachService, type ServiceConnection } from './host-connection.ts';

/** A service that was reached, with the settings of its profile. */
export interface ReachedService {
  readonly service: ServiceConnection;
  readonly restartDelay: RestartDelay | undefined;
  /** Seconds in which a restart is proved; 0 proves none. */
  readonly proofSeconds: number | undefined;
  readonly alerts: readonly AlertRule[] | undefined;
}

/** The services of this program: that of the start, the profiles, and the host on this machine. */
export interface Services {
  readonly options: readonly ServiceOption[];
  /** Connects to the service of the start. */
  first(): Promise<Configured<ReachedService>>;
  /** Reads the token of a service and connects to it; starts the host on this machine if needed. */
  reach(name: string): Promise<Configured<ReachedService>>;
}

export interface ServicesOptions {
  readonly config: ConfigFile;
  /** The service of the start, which may be no profile. */
  readonly choice: ServiceChoice;
  /** Delay of the variable. */
  readonly restartDelay: RestartDelay | undefined;
  /** Seconds of a proof by the variable. */
  readonly proofSeconds: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly folders: Folders;
  /** Path of the program, to start the host with. */
  readonly entry: string;
  /** Called when the host on this machine is started, which takes a few seconds. */
  readonly onHostStart?: (() => void) | undefined;
}

export function createServices(options: ServicesOptions): Services {
  const { config, choice: first, env, folders, entry } = options;
  const choices = new Map<string, ServiceChoice>([
    ...[...config.profiles].map(([name, profile]) => [name, named(profile)] as const),
    [localProfile, named(undefined)],
  ]);
  if (first.kind === 'address') {
    choices.set(nonEmpty(env['HOSTDECK_PROFILE']) ?? new URL(first.baseUrl).host, first);
  }

  async function reachChoice(choice: ServiceChoice): Promise<Configured<ReachedService>> {
    const target = await readTarget(choice, env, folders.config);
    if (!target.ok) return target;
    const service = await reachService(target.value, folders, entry, options.onHostStart);
    if (!service.ok) return service;
    const restartDelay = restartDelayOf(choice, options.restartDelay);
    const proofSeconds = proofSecondsOf(choice, options.proofSeconds);
    const alerts = alertRulesOf(choice, config);
    return { ok: true, value: { service: service.value, restartDelay, proofSeconds, alerts } };
  }

  return {
    options: Array.from(choices, ([name, choice]) => optionOf(name, choice)),
    first: () => reachChoice(first),
    async reach(name) {
      const choice = choices.get(name);
      if (choice !== undefined) return reachChoice(choice);
      return { ok: false, problem: { sentence: `There is no profile ${name}.`, next: '' } };
    },
  };
}

function named(profile: ConfiguredProfile | undefined): ServiceChoice {
  return { kind: 'named', profile };
}

function optionOf(name: string, choice: ServiceChoice): ServiceOption {
  if (choice.kind === 'address') {
    return { name, host: new URL(choice.baseUrl).host, isReadOnly: false };
  }
  const { profile } = choice;
  return profile === undefined
    ? { name, host: 'this machine', isReadOnly: false }
    : { name, host: new URL(profile.baseUrl).host, isReadOnly: profile.readOnly };
}
