/** A file of a service as the listing gives it. Only the path is promised. */
export interface FileRecord {
  /** Relative to the service's root, segments separated by `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size?: number | undefined;
  /** ISO 8601 UTC. */
  readonly modifiedAt?: string | undefined;
  /** True for a folder that the listing names by itself. */
  readonly directory?: boolean | undefined;
}
