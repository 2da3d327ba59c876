import path from 'node:path';
import { createDraftsFolder } from '../../../source/disk/drafts-folder.ts';
import { createRestartJournal } from '../../../source/disk/restart-journal.ts';
import type { Home } from '../harness-home.ts';
import type { ScreenFixture } from './fixture.ts';

/** Mark of a console that has ended: no process has as high a number. */
const ended = Promise.resolve('9999999999-unknown');

/** Writes the work of an earlier console into the folders of a person. */
export async function keepWork(
  home: Home,
  baseUrl: string,
  { draft, unapplied }: NonNullable<ScreenFixture['kept']>,
  now: number,
): Promise<void> {
  const folder = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
  if (draft !== undefined) {
    const [deploymentId, name, file, text, base] = draft;
    const place = { deploymentId, service: name, path: file };
    await createDraftsFolder(folder, baseUrl, ended).write({ ...place, text, base, at: now });
  }
  if (unapplied !== undefined) {
    const [deploymentId, name, service, file] = unapplied;
    const entry = { deploymentId, name, files: [{ service, path: file }], since: now };
    await createRestartJournal(folder, baseUrl, ended).write([{ ...entry, state: 'unapplied' }]);
  }
}
