import type { Action } from './action.ts';
import type { Command } from './command.ts';

type WritingFlags = Pick<Command, 'writes' | 'preparesWrite'>;

/** Returns whether a command is of no use on a read-only connection. */
export function isForWriting({ writes, preparesWrite }: WritingFlags): boolean {
  return writes === true || preparesWrite === true;
}

/**
 * Runs a command, or says why the console must not write. The client refuses writes too; this comes
 * before a box is filled in or a text is typed for nothing.
 */
export function runCommand(command: WritingFlags & Pick<Command, 'run'>, action: Action): void {
  const { access, messages } = action.deck;
  const refusal = isForWriting(command) ? access.refusal() : undefined;
  if (refusal === undefined) command.run(action);
  else messages.say(`${refusal.sentence} ${refusal.next}`, 'bad');
}
