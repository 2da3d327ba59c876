/** A regular file of this machine. */
export interface LocalFile {
  /** Absolute path. */
  readonly file: string;
  /** Below the folder that the walk began in, that folder's name included; `/` between segments. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Something that is left out of a transfer, and why: what follows "PATH: ". */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

export interface Walked {
  readonly files: readonly LocalFile[];
  readonly leftOut: readonly LeftOut[];
}

/** A file of this machine while it is written: it is there whole in the end, or as it was. */
export interface WritingFile {
  write(
    text: string,
  ): Promise<
    { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly reason: string }
  >;
  /** Puts it in its place. */
  finish(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  /** Leaves nothing of it. */
  drop(): Promise<void>;
}

/** What names mean on this machine. */
export interface LocalNaming {
  readonly windows: boolean;
  /** Names that differ in case only lead to the same file. */
  readonly caseless: boolean;
}

/** The files of this machine, as transfers see them. Nothing here throws for what is on the disk. */
export interface LocalFiles {
  readonly naming: LocalNaming;
  /** The folder that `~` stands for. */
  readonly home: string;
  /** A path as it was typed, made absolute. */
  resolve(path: string): string;
  /**
   * All files at and below these paths, in the order of the paths and then by name. Links are
   * followed to files inside the folder that was named, and where they were named themselves; special
   * files are left out, and what is more than `most` files.
   */
  walk(
    paths: readonly string[],
    options: { readonly most: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Walked>;
  /** Names in a folder, folders with a slash at the end; none where nothing can be read. */
  list(folder: string): Promise<readonly string[]>;
  /** The text of a regular file of at most so many bytes; else why there is none. */
  read(
    file: string,
    most: number,
  ): Promise<
    { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }
  >;
  /** What is at the place that segments lead to below a folder, links not followed. */
  at(folder: string, segments: readonly string[]): Promise<'nothing' | 'file' | 'folder'>;
  /**
   * Makes the folders above a file and gives its absolute path; no link inside `folder` is followed
   * out of it.
   */
  makeWay(
    folder: string,
    segments: readonly string[],
  ): Promise<
    { readonly ok: true; readonly file: string } | { readonly ok: false; readonly reason: string }
  >;
  /**
   * Begins a file that only its owner may read. What is there is replaced in the end, if that is
   * wanted; nothing but a regular file ever is.
   */
  begin(
    file: string,
    replaces: boolean,
  ): Promise<
    | { readonly ok: true; readonly writing: WritingFile }
    | { readonly ok: false; readonly reason: string }
  >;
}
