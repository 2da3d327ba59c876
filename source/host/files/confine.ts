import { invalidField } from '../refusal.ts';

/** File systems refuse longer names. */
const longestSegment = 255;

/** Leaves room for the service's root below the system's limit of 4096 bytes. */
const longestPath = 3072;

/** Each folder on the way to a file is held open while something is done there. */
export const mostSegments = 128;

/**
 * The segments of a path inside a service's root. Throws a 422 for whatever could lead outside of
 * it or means something else on another system: absolute paths, empty, `.` and `..` segments,
 * backslashes, NUL, text that has no UTF-8 form, and names that no file system takes.
 */
export function confinedSegments(path: string, field = 'path'): readonly string[] {
  if (path === '') throw invalidField(field, 'the path of a file inside the service');
  if (path.startsWith('/')) throw invalidField(field, 'a path relative to the root of the service');
  if (path.includes('\0')) throw invalidField(field, 'a path without NUL characters');
  if (path.includes('\\')) throw invalidField(field, 'a path with / between its segments, no \\');
  if (!path.isWellFormed()) throw invalidField(field, 'a path that can be written as UTF-8');
  if (Buffer.byteLength(path) > longestPath) {
    throw invalidField(field, `a path of at most ${longestPath} bytes`);
  }
  const segments = path.split('/');
  if (segments.length > mostSegments) throw invalidField(field, `at most ${mostSegments} segments`);
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') {
      throw invalidField(field, 'a path without empty, "." or ".." segments');
    }
    if (Buffer.byteLength(segment) > longestSegment) {
      throw invalidField(field, `segments of at most ${longestSegment} bytes`);
    }
  }
  return segments;
}
