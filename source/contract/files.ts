/** A file of a service in a list of files. Only the path is guaranteed. */
export interface FileRecord {
  /** Path relative to the service's root, with `/` between segments. */
  readonly path: string;
  /** Bytes. */
  readonly size?: number | undefined;
  /** Modification time, ISO 8601 UTC. */
  readonly modifiedAt?: string | undefined;
  /** True for a folder with an entry of its own. */
  readonly directory?: boolean | undefined;
}
