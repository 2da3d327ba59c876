import { CommandFailure, usageProblem } from '../command-problem.ts';
import type { FlagSpecs } from '../table/described-command.ts';

/** The flag of commands that restart. */
export const proveFlag = {
  prove: {
    type: 'switch',
    summary:
      'watch the run after the restart; ends with 6 if it is worse than before, with 7 if that can not be seen',
  },
} as const satisfies FlagSpecs;

/** Description of the end and the output of a proof, for the commands that have one. */
export const proofDescription: readonly string[] = [
  '--prove counts crashes and errors after the restart, and compares the errors with those of the ten minutes before and of the start before. It ends with the verdict: at the first crash, else after 30 seconds (proof of the profile, or HOSTDECK_PROOF). If the restart takes longer, these seconds start again with its last start. Later crashes do not change its exit code; the console watches its own restarts for ten minutes more, and hostdeck watch reports crashes at any time.',
  'With --json, --prove prints a further object for each restart, with its verdict. Into a pipe each result is a line of its own; jq -r objects.verdict reads it.',
];

/** The flag that restores by itself. */
export const autoRestoreFlag = {
  'auto-restore': {
    type: 'switch',
    summary: 'with --prove: if the run is worse, restore the files, restart, and prove that run',
  },
} as const satisfies FlagSpecs;

/** Throws a {@link CommandFailure} for two flags that watch a restart, and for --auto-restore alone. */
export function assertProofFlags(choice: {
  readonly wait: boolean;
  readonly prove: boolean;
  readonly 'auto-restore'?: boolean;
}): void {
  if (choice.wait && choice.prove) {
    const next = '--prove sees crashes as well.';
    throw new CommandFailure(usageProblem('--prove and --wait exclude each other.', next));
  }
  if (choice['auto-restore'] === true && !choice.prove) {
    const sentence = '--auto-restore restores what --prove finds worse.';
    throw new CommandFailure(usageProblem(sentence, 'Add --prove.'));
  }
}
