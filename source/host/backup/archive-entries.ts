import { maxSegments } from '../files/confine.ts';
import { databaseNames, manifestName } from './backup-format.ts';

/** A header of a tar archive, which may hold anything. */
export interface ArchiveHeader {
  readonly name: string;
  readonly size: number;
  readonly type?: string | undefined;
}

/** A place in the data folder that an entry may have. */
export interface ArchiveEntry {
  readonly kind: 'manifest' | 'file' | 'folder';
  /** Segments below the data folder. */
  readonly segments: readonly string[];
}

/** Limit of file systems for a name, in bytes. */
const maxSegmentBytes = 255;

/** Segments above a service's own: `deployments/ID/runs/GENERATION/SERVICE`. */
const outerSegments = 5;

const deploymentId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[1-9]\d{0,15}$/;

const generation = /^[1-9]\d{0,15}$/;

/** Returns the place of an entry in a data folder; undefined for an entry that no backup has. */
export function placeOf({ name, size, type = 'file' }: ArchiveHeader): ArchiveEntry | undefined {
  if (!Number.isSafeInteger(size) || size < 0) return undefined;
  if (type !== 'file' && type !== 'directory') return undefined;
  const isFolder = type === 'directory';
  const segments = (isFolder && name.endsWith('/') ? name.slice(0, -1) : name).split('/');
  if (!segments.every(isSegment) || segments.length > maxSegments + outerSegments) return undefined;
  const [first = ''] = segments;
  if (segments.length === 1 && !isFolder) {
    if (first === manifestName) return { kind: 'manifest', segments };
    return databaseNames.some((each) => each === first) ? { kind: 'file', segments } : undefined;
  }
  const kind = isFolder ? 'folder' : 'file';
  return isOfDeployment(segments, isFolder) ? { kind, segments } : undefined;
}

/** Returns true for `deployments/ID/staged…` and `deployments/ID/runs/GENERATION…`. */
function isOfDeployment([first, id = '', kind, ...rest]: readonly string[], isFolder: boolean) {
  if (first !== 'deployments' || !deploymentId.test(id)) return false;
  if (kind === 'staged') return isFolder || rest.length > 0;
  if (kind !== 'runs' || !generation.test(rest[0] ?? '')) return false;
  return isFolder || rest.length > 1;
}

function isSegment(segment: string): boolean {
  return (
    segment !== '' &&
    segment !== '.' &&
    segment !== '..' &&
    !segment.includes('\0') &&
    segment.isWellFormed() &&
    Buffer.byteLength(segment) <= maxSegmentBytes
  );
}
