/** Decides which service to connect to, and with which token. */
import {
  type ConfigFile,
  type ConfiguredProfile,
  localProfile,
  type NameColour,
} from './config-file.ts';
import {
  configProblem,
  type Configured,
  isProduction,
  nonEmpty,
  readBaseUrl,
  readStreamAuth,
  type StreamAuth,
} from './environment.ts';
import {
  readProfileToken,
  readStoredToken,
  readVariableToken,
  type SourcedToken,
  storedTokenFile,
  tokenVariable,
  tokenVariables,
} from './token-source.ts';
import { findNearName } from '../contract/sdl/near-name.ts';
import type { AlertRule } from '../store/alerts/rule.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** The service to connect to: a remote one, or the host on this machine. */
export type ServiceTarget =
  | {
      readonly kind: 'local';
      /** Sentence about variables that have no effect. */
      readonly notice?: string | undefined;
    }
  | RemoteTarget;

export interface RemoteTarget extends SourcedToken {
  readonly kind: 'remote';
  readonly baseUrl: string;
  /** Name for row 1; by default the host name of the service. */
  readonly name: string | undefined;
  readonly colour: NameColour | undefined;
  readonly wallet: string | undefined;
  readonly streamAuth: StreamAuth;
  readonly readOnly: boolean;
  /** File that a typed token is stored in; undefined where a command gives the token. */
  readonly tokenFile?: string | undefined;
  readonly notice?: string | undefined;
}

/** A remote service, whose token and way of streams are not read yet. */
interface UnreadTarget extends Omit<RemoteTarget, 'kind' | 'streamAuth' | keyof SourcedToken> {
  readonly streamAuth: string | undefined;
}

/** The flags that name a service. */
export interface ServiceFlags {
  readonly baseUrl: string | undefined;
  readonly profile: string | undefined;
}

/** A service as flags, variables and file name it, before its token is read. */
export type ServiceChoice =
  /** A profile that the person named, which variables don't change. */
  | { readonly kind: 'named'; readonly profile: ConfiguredProfile | undefined }
  /** A URL of a flag or a variable. */
  | { readonly kind: 'address'; readonly baseUrl: string }
  /** The default profile; undefined for the host on this machine. */
  | { readonly kind: 'default'; readonly profile: ConfiguredProfile | undefined };

/**
 * Chooses the service: a flag outranks the variables, and these outrank the default profile. The
 * variable HOSTDECK_PROFILE names a profile like the flag does; other than a profile's name, it is a
 * label of HOSTDECK_BASE_URL.
 */
export function chooseService(
  env: NodeJS.ProcessEnv,
  flags: ServiceFlags,
  config: ConfigFile,
): Configured<ServiceChoice> {
  if (flags.profile !== undefined) return namedProfile(flags.profile, config);
  if (flags.baseUrl !== undefined) return address(flags.baseUrl);
  const label = nonEmpty(env['HOSTDECK_PROFILE']);
  const variable = nonEmpty(env['HOSTDECK_BASE_URL']);
  if (label !== undefined && config.profiles.has(label)) return namedProfile(label, config);
  if (variable !== undefined) return address(variable);
  // Without a base URL it labels nothing: whoever sets it expects that profile, and no other.
  if (label !== undefined && config.profiles.size > 0) return namedProfile(label, config);
  const { defaultProfile = localProfile } = config;
  const profile = config.profiles.get(defaultProfile);
  return { ok: true, value: { kind: 'default', profile } };
}

function namedProfile(name: string, { profiles, path }: ConfigFile): Configured<ServiceChoice> {
  const profile = profiles.get(name);
  if (profile !== undefined || name === localProfile) {
    return { ok: true, value: { kind: 'named', profile } };
  }
  const names = [...profiles.keys(), localProfile];
  const near = findNearName(name, names);
  return configProblem(
    `There is no profile ${name} in ${path}.`,
    near === undefined ? `Profiles: ${names.join(', ')}.` : `Did you mean ${near}?`,
  );
}

function address(text: string): Configured<ServiceChoice> {
  const url = readBaseUrl(text);
  return url.ok ? { ok: true, value: { kind: 'address', baseUrl: url.value } } : url;
}

/**
 * Reads the token and the settings of a chosen service. A token goes only to the base URL that it was
 * configured with: those of the variables to HOSTDECK_BASE_URL, or to a flag's where that is not set.
 */
export async function readTarget(
  choice: ServiceChoice,
  env: NodeJS.ProcessEnv,
  configFolder: string,
): Promise<Configured<ServiceTarget>> {
  switch (choice.kind) {
    case 'address':
      return addressTarget(choice.baseUrl, env, storedTokenFile(configFolder, choice.baseUrl));
    case 'named':
    case 'default': {
      const { kind, profile } = choice;
      const stored = storedTokenFile(configFolder, profile?.baseUrl ?? '', profile?.name);
      return kind === 'named'
        ? profileTarget(profile, {}, stored, namedNotice(profile, env))
        : profileTarget(profile, env, stored, defaultNotice(profile, env));
    }
  }
}

/**
 * Returns the target of a profile; `env` has the variables that outrank the profile.
 * @param stored file of a typed token, for a profile without a source of its own.
 */
async function profileTarget(
  profile: ConfiguredProfile | undefined,
  env: NodeJS.ProcessEnv,
  stored: string,
  notice: string | undefined,
): Promise<Configured<ServiceTarget>> {
  if (profile === undefined) return { ok: true, value: { kind: 'local', notice } };
  const { name, baseUrl, colour, readOnly, token: source } = profile;
  const target: UnreadTarget = {
    baseUrl,
    name,
    colour: colour ?? (isProduction(name) ? 'red' : undefined),
    wallet: nonEmpty(env['HOSTDECK_WALLET']) ?? profile.wallet,
    streamAuth: nonEmpty(env['HOSTDECK_STREAM_AUTH']) ?? profile.streamAuth,
    readOnly,
    tokenFile: fileOf(source, stored),
    notice,
  };
  return await remoteTarget(target, () =>
    source === undefined ? readStoredToken(stored) : readProfileToken(name, source),
  );
}

/** Returns the file that a typed token is stored in; a token command would outrank it. */
function fileOf(source: ConfiguredProfile['token'], stored: string): string | undefined {
  if (source === undefined) return stored;
  return source.kind === 'file' ? source.path : undefined;
}

async function addressTarget(
  baseUrl: string,
  env: NodeJS.ProcessEnv,
  stored: string,
): Promise<Configured<ServiceTarget>> {
  const variable = nonEmpty(env['HOSTDECK_BASE_URL']);
  const configured = variable === undefined ? undefined : readBaseUrl(variable);
  const source = tokenVariable(env);
  const isOther = configured !== undefined && !(configured.ok && configured.value === baseUrl);
  if (source !== undefined && isOther) {
    return configProblem(
      `${source} belongs to HOSTDECK_BASE_URL and is not sent to --base-url.`,
      'Use --profile, or unset HOSTDECK_BASE_URL.',
    );
  }
  // The name and the wallet of the variables are those of their base URL.
  const own = isOther ? {} : env;
  const name = nonEmpty(own['HOSTDECK_PROFILE']);
  const target: UnreadTarget = {
    baseUrl,
    name,
    colour: isProduction(name ?? new URL(baseUrl).host) ? 'red' : undefined,
    wallet: nonEmpty(own['HOSTDECK_WALLET']),
    streamAuth: env['HOSTDECK_STREAM_AUTH'],
    readOnly: false,
    tokenFile: stored,
  };
  return await remoteTarget(target, async () => {
    const given = await readVariableToken(env);
    if (!given.ok) return given;
    return given.value === undefined
      ? await readStoredToken(stored)
      : { ok: true, value: given.value };
  });
}

/** Completes the target of a remote service by its token and the way of its streams. */
async function remoteTarget(
  { streamAuth: text, ...target }: UnreadTarget,
  readToken: () => Promise<Configured<SourcedToken>>,
): Promise<Configured<RemoteTarget>> {
  const streamAuth = readStreamAuth(text);
  if (!streamAuth.ok) return streamAuth;
  const token = await readToken();
  if (!token.ok) return token;
  return {
    ok: true,
    value: { kind: 'remote', ...target, ...token.value, streamAuth: streamAuth.value },
  };
}

/** Returns the sentence about variables that a named profile ignores. */
function namedNotice(
  profile: ConfiguredProfile | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const ignored = ['HOSTDECK_BASE_URL', ...tokenVariables, 'HOSTDECK_WALLET'].filter(
    (name) => nonEmpty(env[name]?.trim()) !== undefined,
  );
  if (ignored.length === 0) return undefined;
  const names = ignored.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  const verb = ignored.length === 1 ? 'is' : 'are';
  return `${names} ${verb} not used: the profile is ${profile?.name ?? localProfile}.`;
}

/** Returns the sentence about a token that no base URL belongs to. */
function defaultNotice(
  profile: ConfiguredProfile | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const source = tokenVariable(env);
  if (source === undefined) return undefined;
  const used = profile === undefined ? 'the local host' : `profile ${profile.name}`;
  return `${source} is not used: no base URL is set, so this is ${used}.`;
}

/**
 * Returns the delay from the last change of a file to the automatic restart, where a variable or the
 * file gives one: a named profile outranks the variable, a default one doesn't.
 */
export function restartDelayOf(
  choice: ServiceChoice,
  variable: RestartDelay | undefined,
): RestartDelay | undefined {
  const ofProfile = choice.kind === 'address' ? undefined : choice.profile?.restartDelay;
  const [first, second] = choice.kind === 'named' ? [ofProfile, variable] : [variable, ofProfile];
  return first ?? second;
}

/** Returns the alert rules of a service: those of its profile, else those of the file. */
export function alertRulesOf(
  choice: ServiceChoice,
  { alerts }: Pick<ConfigFile, 'alerts'>,
): readonly AlertRule[] | undefined {
  return (choice.kind === 'address' ? undefined : choice.profile?.alerts) ?? alerts;
}
