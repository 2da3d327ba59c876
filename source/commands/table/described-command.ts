/** The description of a command, from which parsing, help, completions and documents are made. */

/** Words that a shell completes for an argument or for the value of a flag. */
export type Completion =
  | 'command'
  | 'deployment'
  | 'grant'
  | 'local-file'
  | 'local-folder'
  | 'profile'
  | 'service-name'
  /** `NAME/SERVICE`. */
  | 'service'
  /** `NAME/SERVICE:PATH`. */
  | 'service-path';

/** A word behind the command. */
export interface ArgumentSpec {
  /** Name in upper case, such as `NAME`. */
  readonly name: string;
  /** Clause for the help, such as `deployment to close`. */
  readonly summary: string;
  readonly isRequired: boolean;
  /** True for the one argument that takes several words; each behind it takes one. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
}

interface FlagText {
  /** Clause for the help; starts in lower case, without a full stop. */
  readonly summary: string;
  /** Letter of the short form. */
  readonly letter?: string;
}

/** A flag without a value. */
export interface SwitchSpec extends FlagText {
  readonly type: 'switch';
  /** True for a flag whose default is on, which `--no-NAME` switches off. */
  readonly isOnByDefault?: boolean;
  /** True for a flag that may be given as `--NAME`, as `--no-NAME`, or not at all. */
  readonly hasNoDefault?: boolean;
}

/** The values that a flag takes, and how they are read. */
export interface ValueSpec extends FlagText {
  readonly type: 'value';
  /** Name of the value in upper case, such as `SECONDS`. */
  readonly value: string;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
  /** True for a flag that may be given several times; its value is a list. */
  readonly isRepeated?: boolean;
  /** Words for the message "--timeout must be EXPECTED." */
  readonly expected?: string;
  /** Returns the value of a text; undefined for a text that is not as expected. */
  readonly parse?: (text: string) => unknown;
}

export type FlagSpec = SwitchSpec | ValueSpec;

/** Flags by their names in kebab-case, without the dashes. */
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

/** A command as help, completions and documents describe it. */
export interface DescribedCommand {
  /**
   * A `service` command needs a connection, a `local` one doesn't; a `program` command owns the
   * terminal or reads its command line itself: the console and `host`.
   */
  readonly kind: 'service' | 'local' | 'program';
  /** Words that call it, such as `deployments list`; none for the console. */
  readonly path: readonly string[];
  /** Sentence in the imperative, such as `List deployments.` */
  readonly summary: string;
  /** Further paragraphs of the help. */
  readonly description?: readonly string[];
  readonly args: readonly ArgumentSpec[];
  /** Flags of its own; `flagsOf` adds the shared ones. */
  readonly flags: FlagSpecs;
  readonly examples?: readonly { readonly line: string; readonly summary: string }[];
  /** Further sections of the help: a title, and terms with their meaning. */
  readonly notes?: readonly {
    readonly title: string;
    readonly rows: readonly (readonly [string, string])[];
  }[];
  /** True for a command that changes something on the service; it has `--dry-run`. */
  readonly writes?: boolean;
  /** True for a command that asks before it acts; it has `--yes`. */
  readonly asks?: boolean;
  /** True for a command that prints records; it has `--fields`. */
  readonly prints?: boolean;
  /** True for a command that only prints, and ends when the reader of its output has gone. */
  readonly endsWithReader?: boolean;
}

/** Returns the words of a command, such as `hostdeck deployments list`. */
export function commandLineOf({ path }: Pick<DescribedCommand, 'path'>): string {
  return ['hostdeck', ...path].join(' ');
}
