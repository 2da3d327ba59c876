/** The documents for users, as the tests of this folder read them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

export const documents = [
  'README.md',
  'CHANGELOG.md',
  'docs/README.md',
  'docs/accessibility.md',
  'docs/cluster.md',
  'docs/commands.md',
  'docs/configuration.md',
  'docs/console.md',
  'docs/host.md',
  'docs/keys.md',
  'docs/measurements.md',
] as const;

/** Returns the text of a file of the repository. */
export function readDocument(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
