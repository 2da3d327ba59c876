/** A regular local file. */
export interface LocalFile {
  /** Absolute path. */
  readonly file: string;
  /** Path from the walked folder on, including its name; with `/` between segments. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** A path that is left out of a transfer; the reason follows "PATH: " in a message. */
export interface ExcludedPath {
  readonly path: string;
  readonly reason: string;
}

export interface WalkResult {
  readonly files: readonly LocalFile[];
  readonly leftOut: readonly ExcludedPath[];
}

/** A local file that is replaced only when it is written completely. */
export interface FileWriter {
  write(
    content: string | Uint8Array,
  ): Promise<
    { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly reason: string }
  >;
  /** Moves the file to its place. */
  finish(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  /** Deletes the unfinished file. */
  discard(): Promise<void>;
}

/** Rules for file names on this machine. */
export interface LocalNameRules {
  readonly windows: boolean;
  /** True when names that differ only in case belong to the same file. */
  readonly caseless: boolean;
}

/** Access to local files for transfers. No method throws for the state of the disk. */
export interface LocalFiles {
  readonly naming: LocalNameRules;
  /** The folder that `~` stands for. */
  readonly home: string;
  /** Returns the absolute path of a typed path. */
  resolve(path: string): string;
  /**
   * Lists all files at and below these paths, in the order of the paths and then by name. A link is
   * followed if it is one of the paths, or leads to a file inside them. Special files are left out,
   * and so are files beyond the first `most`.
   */
  walk(
    paths: readonly string[],
    options: { readonly most: number; readonly signal?: AbortSignal | undefined },
  ): Promise<WalkResult>;
  /** Lists the names in a folder, folders with a final slash; empty if it can't be read. */
  list(folder: string): Promise<readonly string[]>;
  /** Reads the text of a regular file of at most so many bytes, or returns why it can't. */
  read(
    file: string,
    most: number,
  ): Promise<
    { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }
  >;
  /** Returns the SHA-256 digest of a file as hexadecimal text; undefined where it can't be read. */
  digest(file: string): Promise<string | undefined>;
  /** Returns what exists at a place below a folder, without following links. */
  statusAt(folder: string, segments: readonly string[]): Promise<'nothing' | 'file' | 'folder'>;
  /**
   * Creates the folders above a file and returns its absolute path. A link inside `folder` that
   * leads out of it is rejected.
   */
  createFolders(
    folder: string,
    segments: readonly string[],
  ): Promise<
    { readonly ok: true; readonly file: string } | { readonly ok: false; readonly reason: string }
  >;
  /**
   * Starts to write a file that only its owner may read. An existing regular file is replaced at
   * the end if `replaces` is set; anything else is never replaced.
   */
  begin(
    file: string,
    replaces: boolean,
  ): Promise<
    | { readonly ok: true; readonly writing: FileWriter }
    | { readonly ok: false; readonly reason: string }
  >;
}
