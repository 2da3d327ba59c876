import { colourDepth, forceColourValue } from '../terminal/screen/colour.ts';
import { lazyPart } from '../system/lazy-part.ts';

const view = lazyPart(() => import('../view/shell/mount.tsx'));

/** Loads Ink with FORCE_COLOR set, which it reads once, and restores it for child processes. */
export async function loadView() {
  const { env } = process;
  const before = env['FORCE_COLOR'];
  env['FORCE_COLOR'] = forceColourValue(colourDepth(env));
  try {
    return await view();
  } finally {
    if (before === undefined) delete env['FORCE_COLOR'];
    else env['FORCE_COLOR'] = before;
  }
}
