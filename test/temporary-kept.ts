import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { keptHere } from '../source/kept-here.ts';
import type { KeptOnDisk } from '../source/store/console.ts';

/** What a console keeps, in a folder that goes with the test. */
export function temporaryKept(): KeptOnDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { drafts, trash, local } = keptHere(folder, 'http://127.0.0.1');
  return { drafts, trash, local: async () => local };
}
