import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { isNoJson } from '../file-content.ts';

/** Files of one service that can be read to find out how the service answers. */
export interface Samples {
  /** A file in a folder, whose path has a slash. */
  readonly nested: string | undefined;
  /** A file that is no JSON by its name. */
  readonly noJson: string | undefined;
}

/** Larger files are not fetched only to see how they come. */
const largestSample = 2 ** 20;

/** The smallest files of a listing that serve; a file without a size serves last. */
export function samplesOf(files: readonly FileRecord[]): Samples {
  const usable = files
    .filter(({ path, size = 0, directory }) => {
      return directory !== true && size <= largestSample && isRequestablePath(path);
    })
    .sort((a, b) => (a.size ?? largestSample) - (b.size ?? largestSample));
  return {
    nested: usable.find(({ path }) => path.includes('/'))?.path,
    // An empty file looks the same in every way of answering.
    noJson: usable.find(({ path, size }) => size !== 0 && isNoJson(path))?.path,
  };
}
