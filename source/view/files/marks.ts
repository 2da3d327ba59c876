import type { DraftHead } from '../../store/drafts/drafts.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import { isNewDeployment } from '../../store/drafts/places.ts';
import { type Restart, unappliedChanges } from '../../store/restarts/state.ts';
import type { FileMark } from './rows.ts';

/**
 * Returns the marks of a service's files by path. A draft hides an unapplied change.
 * @param newPaths paths of the drafts whose files are not on the service.
 */
export function fileMarks(
  place: FilesPlace | undefined,
  drafts: Iterable<DraftHead>,
  restart: Restart | undefined,
  newPaths: ReadonlySet<string>,
): ReadonlyMap<string, FileMark> {
  const marks = new Map<string, FileMark>();
  const unapplied = restart === undefined ? undefined : unappliedChanges(restart);
  for (const { service, path } of unapplied?.files ?? []) {
    if (service === place?.service) marks.set(path, 'unapplied');
  }
  for (const draft of drafts) {
    if (isNewDeployment(draft)) continue;
    const { deploymentId, service, path } = draft;
    if (deploymentId !== place?.deploymentId || service !== place.service) continue;
    marks.set(path, newPaths.has(path) ? 'new' : 'draft');
  }
  return marks;
}
