import type { LocalPlace } from './places.ts';

/** The restarts of deployments, as writes of files report to them. */
export interface FileWrites {
  /** Holds the restart of a deployment back until the returned function is called. */
  operation(deploymentId: string): () => void;
  /**
   * Reports a file that was written, moved or deleted. Resolves when its pending restart is in the
   * journal, or cannot be written there.
   */
  fileChanged(file: LocalPlace): Promise<void>;
}
