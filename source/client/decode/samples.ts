import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { isNonJsonPath } from '../file-content.ts';

/** Files of one service that are suitable to learn the form of its answers. */
export interface SampleFiles {
  /** Path of a file in a folder. */
  readonly nested: string | undefined;
  /** Path of a file whose name rules out JSON. */
  readonly nonJson: string | undefined;
}

/** Bytes of the largest sample. */
const maxSampleSize = 2 ** 20;

/** Returns the smallest suitable files of a list; files of unknown size come last. */
export function chooseSampleFiles(files: readonly FileRecord[]): SampleFiles {
  const usable = files
    .filter(({ path, size = 0, directory }) => {
      return directory !== true && size <= maxSampleSize && isRequestablePath(path);
    })
    .sort((a, b) => (a.size ?? maxSampleSize) - (b.size ?? maxSampleSize));
  return {
    nested: usable.find(({ path }) => path.includes('/'))?.path,
    // An empty file is the same raw and in an envelope.
    nonJson: usable.find(({ path, size }) => size !== 0 && isNonJsonPath(path))?.path,
  };
}
