import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Returns the first of these programs that is not on the PATH. */
export function toolsMissing(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const isHere = (name: string): boolean =>
    folders.some((folder) => {
      try {
        accessSync(path.join(folder, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  return names.find((name) => !isHere(name));
}

/** Writes the reason for skipping tests to the output. */
export function sayMissingTool(name: string): void {
  process.stderr.write(`Tests that need ${name} are SKIPPED: it is not installed.\n`);
}
