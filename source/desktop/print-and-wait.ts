import { spawn } from 'node:child_process';
import { sanitizeBlock } from '../terminal/screen/sanitize.ts';

/** Prints a text as plain lines that the terminal can select, and resolves after Enter. */
export function printAndWait(text: string, write: (data: string) => void): Promise<void> {
  write(`${sanitizeBlock(text).join('\n')}\n\nPress Enter to continue`);
  return new Promise((resolve) => {
    // A separate program reads the line, so that further input is left for the console.
    const child = spawn('/bin/sh', ['-c', 'read -r line'], { stdio: 'inherit', env: {} });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
}
