import fs from 'node:fs';
import path from 'node:path';

/** A mistake in the configuration, and the step that corrects it. */
export interface ConfigProblem {
  readonly sentence: string;
  readonly next: string;
}

export type Configured<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** Folders of hostdeck on this machine. */
export interface Folders {
  /** Records and files of the local host. */
  readonly data: string;
  /** State of the console between two starts. */
  readonly state: string;
  /** Configuration files of the person. */
  readonly config: string;
}

/** Returns the folders by the XDG base directory specification. */
export function foldersOf(env: NodeJS.ProcessEnv, home: string): Folders {
  const under = (base: string | undefined, fallback: string) =>
    path.join(
      base !== undefined && path.isAbsolute(base) ? base : path.join(home, fallback),
      'hostdeck',
    );
  return {
    data: under(env['XDG_DATA_HOME'], '.local/share'),
    state: under(env['XDG_STATE_HOME'], '.local/state'),
    config: under(env['XDG_CONFIG_HOME'], '.config'),
  };
}

export const streamAuths = ['header', 'subprotocol', 'query'] as const;
export type StreamAuth = (typeof streamAuths)[number];

/** The variables that give a token, the first one that is set. */
const tokenSources = ['HOSTDECK_TOKEN', 'HOSTDECK_TOKEN_FILE', 'HOSTDECK_TOKEN_COMMAND'] as const;

type TokenSource = (typeof tokenSources)[number];

/** The service to connect to: a remote one, or the host on this machine. */
export type ServiceTarget =
  | {
      readonly kind: 'local';
      /** Variable with a token for another service, which nothing uses. */
      readonly ignored?: TokenSource | undefined;
    }
  | {
      readonly kind: 'remote';
      readonly baseUrl: string;
      readonly token: string;
      /** Variable that the token came from. */
      readonly source: TokenSource;
      /** Name for row 1; by default the host name of the service. */
      readonly profile: string | undefined;
      readonly wallet: string | undefined;
      readonly streamAuth: StreamAuth;
    };

/**
 * Reads the service to connect to from the environment; `baseUrl` is the flag, which wins. The token
 * comes from HOSTDECK_TOKEN, the file HOSTDECK_TOKEN_FILE or the command HOSTDECK_TOKEN_COMMAND, never
 * from a flag, which every user could read in the process list.
 */
export async function readTarget(
  env: NodeJS.ProcessEnv,
  baseUrl: string | undefined,
): Promise<Configured<ServiceTarget>> {
  const address = baseUrl ?? nonEmpty(env['HOSTDECK_BASE_URL']);
  if (address === undefined) {
    const ignored = tokenSources.find((name) => nonEmpty(env[name]) !== undefined);
    return { ok: true, value: { kind: 'local', ignored } };
  }
  const url = readBaseUrl(address);
  if (!url.ok) return url;
  const streamAuth = readStreamAuth(env['HOSTDECK_STREAM_AUTH']);
  if (!streamAuth.ok) return streamAuth;
  const token = await readToken(env);
  if (!token.ok) return token;
  return {
    ok: true,
    value: {
      kind: 'remote',
      baseUrl: url.value,
      ...token.value,
      profile: nonEmpty(env['HOSTDECK_PROFILE']),
      wallet: nonEmpty(env['HOSTDECK_WALLET']),
      streamAuth: streamAuth.value,
    },
  };
}

/** Returns whether a profile is named as production; its boxes are red and in upper case. */
export function isProduction(profile: string): boolean {
  return /^prod/i.test(profile);
}

/** Reads an http or https URL; its path stays, without a slash at the end. */
export function readBaseUrl(text: string): Configured<string> {
  const next = 'Use a form like https://api.example.com, without a user or a query.';
  const url = URL.parse(text);
  // The message doesn't repeat the URL, which may hold a password.
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return problem('The base URL is not an http or https URL.', next);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return problem('The base URL has a user, a query or a fragment.', next);
  }
  return { ok: true, value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}

function readStreamAuth(text: string | undefined): Configured<StreamAuth> {
  switch (text) {
    case undefined:
    case '':
    case 'header':
      return { ok: true, value: 'header' };
    case 'subprotocol':
    case 'query':
      return { ok: true, value: text };
    default:
      return problem(
        `HOSTDECK_STREAM_AUTH is ${text}.`,
        'It must be header, subprotocol or query.',
      );
  }
}

interface SourcedToken {
  readonly token: string;
  readonly source: TokenSource;
}

async function readToken(env: NodeJS.ProcessEnv): Promise<Configured<SourcedToken>> {
  const token = nonEmpty(env['HOSTDECK_TOKEN']?.trim());
  if (token !== undefined) return { ok: true, value: { token, source: 'HOSTDECK_TOKEN' } };
  const file = nonEmpty(env['HOSTDECK_TOKEN_FILE']);
  if (file !== undefined)
    return readTokenFrom('HOSTDECK_TOKEN_FILE', () => fs.promises.readFile(file, 'utf8'));
  const command = nonEmpty(env['HOSTDECK_TOKEN_COMMAND']);
  if (command !== undefined) {
    const { runTokenCommand } = await import('./token-command.ts');
    return readTokenFrom('HOSTDECK_TOKEN_COMMAND', () => runTokenCommand(command));
  }
  return problem(
    'A base URL is set, but no token.',
    'Set HOSTDECK_TOKEN, HOSTDECK_TOKEN_FILE or HOSTDECK_TOKEN_COMMAND.',
  );
}

async function readTokenFrom(
  source: TokenSource,
  read: () => Promise<string>,
): Promise<Configured<SourcedToken>> {
  try {
    const token = (await read()).trim();
    return token === ''
      ? problem(`${source} gave an empty token.`, 'Check the variable.')
      : { ok: true, value: { token, source } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return problem(`Can't read the token of ${source}${code}.`, 'Check the variable.');
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function problem(sentence: string, next: string): { ok: false; problem: ConfigProblem } {
  return { ok: false, problem: { sentence, next } };
}
