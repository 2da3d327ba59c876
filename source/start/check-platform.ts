/**
 * Ends the program on a platform that can't run it. The entry imports this module before all others,
 * because an old Node fails while it loads them.
 */
import { platformObstacle } from './platform.ts';

const obstacle = platformObstacle(process.platform, process.versions.node);
if (obstacle !== undefined) {
  process.stderr.write(`${obstacle}\n`);
  process.exit(1);
}
