import type { Configuration } from './configurations.ts';
import type { HostileHost } from './hostile-host.ts';
import type { Programs } from './programs-folder.ts';

/** A host that runs during the tests of one configuration. */
export interface RunningHost {
  readonly configuration: Configuration;
  readonly host: HostileHost;
  readonly programs: Programs;
}
