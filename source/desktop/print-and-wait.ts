import { spawn } from 'node:child_process';
import { sanitizeBlock } from '../terminal/screen/sanitize.ts';

/** Prints a text as lines of the terminal, to be selected there, and waits for Enter. */
export function printAndWait(text: string, write: (data: string) => void): Promise<void> {
  write(`${sanitizeBlock(text).join('\n')}\n\nPress Enter to go on`);
  return new Promise((resolve) => {
    // A program of its own reads the line: what it does not read is left for the console.
    const child = spawn('/bin/sh', ['-c', 'read -r line'], { stdio: 'inherit', env: {} });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}
