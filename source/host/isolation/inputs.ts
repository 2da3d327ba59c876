import type { ChildProcess } from 'node:child_process';
import { Writable } from 'node:stream';

/** Texts that a child process reads from file descriptors of its own. */

/** The first descriptor after stdin, stdout, stderr and the status of the launch. */
export const firstInput = 4;

/** Returns the entries of `stdio` for a child that reads these texts from {@link firstInput} on. */
export function inputPipes(inputs: readonly string[]): readonly 'pipe'[] {
  return inputs.map(() => 'pipe' as const);
}

/** Writes the texts to a child that was spawned with {@link inputPipes}. Never throws. */
export function writeInputs(child: ChildProcess, inputs: readonly string[]): void {
  for (const [index, input] of inputs.entries()) {
    const stream = child.stdio[firstInput + index];
    if (!(stream instanceof Writable)) continue;
    // A child that ends before it has read the text breaks the pipe.
    stream.on('error', () => undefined);
    stream.end(input);
  }
}
