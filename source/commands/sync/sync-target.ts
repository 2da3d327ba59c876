/** Reads the folder on a service that was typed behind the colon. Pure. */
import { isRequestablePath } from '../../contract/routes.ts';

/**
 * Returns the path of a folder on a service, without slashes at its ends; empty for the root, and
 * undefined for a path that no URL can address.
 */
export function targetFolder(typed: string | undefined): string | undefined {
  const folder = (typed ?? '').replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (folder === '' || folder === '.') return '';
  return isRequestablePath(folder) ? folder : undefined;
}
