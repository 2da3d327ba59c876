import path from 'node:path';
import { parseBaseUrl } from '../contract/base-url.ts';

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

/** Returns whether a profile is named as production; its boxes are red and in upper case. */
export function isProduction(profile: string): boolean {
  return /^prod/i.test(profile);
}

/** Reads an http or https URL; its path stays, without a slash at the end. */
export function readBaseUrl(text: string): Configured<string> {
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) return configProblem(parsed.sentence, parsed.next);
  const { url } = parsed;
  return { ok: true, value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}

/** Reads how the log stream sends the token; the header by default. */
export function readStreamAuth(text: string | undefined): Configured<StreamAuth> {
  switch (text) {
    case undefined:
    case '':
    case 'header':
      return { ok: true, value: 'header' };
    case 'subprotocol':
    case 'query':
      return { ok: true, value: text };
    default:
      return configProblem(
        `HOSTDECK_STREAM_AUTH is ${text}.`,
        'It must be header, subprotocol or query.',
      );
  }
}

/** Returns a variable's text; undefined where it is empty, like one that is not set. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Returns the failed value of a mistake. */
export function configProblem(
  sentence: string,
  next: string,
): { ok: false; problem: ConfigProblem } {
  return { ok: false, problem: { sentence, next } };
}
