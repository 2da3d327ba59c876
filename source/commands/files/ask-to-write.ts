/** Asks before files of a service are written. */
import type { CommandContext } from '../table/command-context.ts';
import type { ServicePlace } from './find-file.ts';

type Asking = Pick<CommandContext, 'options' | 'confirm'>;

/** Whether names must be exact, because nobody confirms what a beginning of one means. */
export function needsExactNames({ options, confirm }: Asking): boolean {
  return !options.dryRun && (options.yes || !confirm.canAsk());
}

/** Most files that a question names. */
const mostNamed = 20;

export interface WriteQuestion {
  readonly places: readonly ServicePlace[];
  /** Files that are destroyed or replaced; a write without them needs no answer. */
  readonly lost: readonly string[];
  readonly question: string;
}

/**
 * Asks where files are lost, or where only the beginning of a name was typed. Rejects with a
 * `CommandFailure` where the person does not agree.
 */
export async function askToWrite(
  { options, confirm }: Asking,
  { places, lost, question }: WriteQuestion,
): Promise<void> {
  if (options.dryRun) return;
  const begun = places.filter(({ isExact }) => !isExact);
  if (lost.length === 0 && begun.length === 0) return;
  const more = lost.length - mostNamed;
  const facts = [
    ...begun.map(({ label, deployment }) => `${label}: deployment ${deployment.id}`),
    ...(lost.length > 1 ? lost.slice(0, mostNamed) : []),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  await confirm.ask({ facts, question });
}
