import { invalidField } from '../refusal.ts';

/** Limit of file systems for a name, in bytes. */
const maxSegmentBytes = 255;

/** Leaves space for the path of the service's root below the system's limit of 4096 bytes. */
const maxPathBytes = 3072;

/** Most segments of a path; each folder of a path is kept open during an operation. */
export const maxSegments = 128;

/**
 * Parses a path inside a service's root into segments. Throws a 422 for a path that could lead
 * outside of the root or differs between systems: absolute paths, empty, `.` and `..` segments,
 * backslashes, NUL, text without a UTF-8 form, and names that file systems refuse.
 */
export function parsePath(path: string, field = 'path'): readonly string[] {
  if (path === '') throw invalidField(field, 'the path of a file inside the service');
  if (path.startsWith('/')) throw invalidField(field, 'a path relative to the root of the service');
  if (path.includes('\0')) throw invalidField(field, 'a path without NUL characters');
  if (path.includes('\\'))
    throw invalidField(field, 'a path that separates segments by /, without \\');
  if (!path.isWellFormed()) throw invalidField(field, 'a path that can be written as UTF-8');
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw invalidField(field, `a path of at most ${maxPathBytes} bytes`);
  }
  const segments = path.split('/');
  if (segments.length > maxSegments) throw invalidField(field, `at most ${maxSegments} segments`);
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') {
      throw invalidField(field, 'a path without empty, "." or ".." segments');
    }
    if (Buffer.byteLength(segment) > maxSegmentBytes) {
      throw invalidField(field, `segments of at most ${maxSegmentBytes} bytes`);
    }
  }
  return segments;
}
