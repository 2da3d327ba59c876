/** Words the commands that messages tell to run next. Pure. */
import type { ServiceFlags } from '../../config/service-target.ts';

/** A service, and the flags that named it. */
export interface NamedService {
  readonly service: { readonly flags: ServiceFlags };
}

/**
 * Returns a command for the same service, such as `hostdeck deployments restart shop --profile prod`:
 * the flags that named the service are repeated, since variables alone may lead to another one.
 * @param words the command and its arguments.
 */
export function nextCommand({ service: { flags } }: NamedService, words: string): string {
  const { profile, baseUrl } = flags;
  return [
    `hostdeck ${words}`,
    ...(profile === undefined ? [] : [`--profile ${quoted(profile)}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${quoted(baseUrl)}`]),
  ].join(' ');
}

/** Quotes a word for a shell where it needs quotes. */
function quoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
