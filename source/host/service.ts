import type { HostClock } from './clock.ts';
import type { Deployments } from './deployments.ts';
import type { Files } from './files/files.ts';
import type { Grants } from './grants.ts';
import type { HostLimits } from './server/limits.ts';
import type { HostLogs } from './logs/logs.ts';
import type { StreamLimiter } from './server/stream-places.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import type { Tokens } from './records/tokens.ts';
import type { WrongTokenLimiter } from './server/wrong-tokens.ts';

/** The dependencies of the routes. */
export interface HostService {
  readonly clock: HostClock;
  readonly limits: HostLimits;
  /** Version of the program. */
  readonly version: string;
  readonly tokens: Tokens;
  readonly wrongTokenLimiter: WrongTokenLimiter;
  readonly streamLimiter: StreamLimiter;
  readonly deployments: Deployments;
  readonly supervisor: Supervisor;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly grants: Grants;
  /** Reports an internal error of the host. */
  readonly onFailure: (error: unknown) => void;
}
