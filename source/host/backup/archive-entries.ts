import { maxSegments } from '../files/confine.ts';
import { engineVolumesFolder } from '../volumes/restored-volumes.ts';
import { databaseNames, manifestName } from './backup-format.ts';

/** A header of a tar archive, which may hold anything. */
export interface ArchiveHeader {
  readonly name: string;
  readonly size: number;
  readonly type?: string | undefined;
  /** Target of a link. */
  readonly linkname?: string | undefined;
}

/** A place in the data folder that an entry may have. */
export interface ArchiveEntry {
  readonly kind: 'manifest' | 'file' | 'folder' | 'link';
  /** Segments below the data folder. */
  readonly segments: readonly string[];
}

/** Limit of file systems for a name, in bytes. */
const maxSegmentBytes = 255;

/** Segments above a service's own: `deployments/ID/runs/GENERATION/SERVICE`. */
const outerSegments = 5;

const deploymentId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[1-9]\d{0,15}$/;

/** Segments of a volume below the folder of all volumes. */
const volumeSegments = 3;

const wholeNumber = /^[1-9]\d{0,15}$/;

/** Returns the place of an entry in a data folder; undefined for an entry that no backup has. */
export function placeOf(header: ArchiveHeader): ArchiveEntry | undefined {
  const { name, size, type = 'file' } = header;
  if (!Number.isSafeInteger(size) || size < 0) return undefined;
  if (type !== 'file' && type !== 'directory' && !isLink(header)) return undefined;
  const isFolder = type === 'directory';
  const segments = (isFolder && name.endsWith('/') ? name.slice(0, -1) : name).split('/');
  if (!segments.every(isSegment) || segments.length > maxSegments + outerSegments) return undefined;
  const [first = ''] = segments;
  if (segments.length === 1 && type === 'file') {
    if (first === manifestName) return { kind: 'manifest', segments };
    return databaseNames.some((each) => each === first) ? { kind: 'file', segments } : undefined;
  }
  const kind = isFolder ? 'folder' : type === 'file' ? 'file' : 'link';
  return isOfDeployment(segments, kind) ? { kind, segments } : undefined;
}

function isLink({ type, size, linkname = '' }: ArchiveHeader): boolean {
  return type === 'symlink' && size === 0 && linkname !== '' && !linkname.includes('\0');
}

/**
 * Returns true for `deployments/ID/staged…`, `deployments/ID/runs/GENERATION…`,
 * `deployments/ID/volumes/SERVICE/INSTANCE/NAME…` and
 * `deployments/ID/engine-volumes/SERVICE/INSTANCE/NAME.tar`. Only volumes have links, and none is one.
 */
function isOfDeployment(
  [first, id = '', part, ...rest]: readonly string[],
  kind: ArchiveEntry['kind'],
): boolean {
  if (first !== 'deployments' || !deploymentId.test(id)) return false;
  if (part === 'volumes') {
    const [, instance] = rest;
    if (instance !== undefined && !wholeNumber.test(instance)) return false;
    return kind === 'folder' || rest.length > volumeSegments;
  }
  if (kind === 'link') return false;
  if (part === engineVolumesFolder) return isOfEngineVolumes(rest, kind);
  if (part === 'staged') return kind === 'folder' || rest.length > 0;
  if (part !== 'runs' || !wholeNumber.test(rest[0] ?? '')) return false;
  return kind === 'folder' || rest.length > 1;
}

function isOfEngineVolumes(segments: readonly string[], kind: ArchiveEntry['kind']): boolean {
  const [, instance, archive] = segments;
  if (instance !== undefined && !wholeNumber.test(instance)) return false;
  if (kind === 'folder') return segments.length < volumeSegments;
  return segments.length === volumeSegments && archive?.endsWith('.tar') === true;
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
