/** A command: its description, and the function that runs it, whose code is loaded when it is run. */
import type { ConsoleInvocation } from '../../config/arguments.ts';
import type { ServiceFlags } from '../../config/service-target.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { CommandContext, ServiceCommandContext } from './command-context.ts';
import type { DescribedCommand, FlagSpecs } from './described-command.ts';
import type { CommonOptions } from './shared-flags.ts';

type OneValue<F> = F extends { readonly parse: (text: string) => infer T }
  ? Exclude<T, undefined>
  : F extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type FlagValue<F> = F extends { readonly type: 'switch'; readonly hasNoDefault: true }
  ? boolean | undefined
  : F extends { readonly type: 'switch' }
    ? boolean
    : F extends { readonly isRepeated: true }
      ? readonly OneValue<F>[]
      : OneValue<F> | undefined;

/** The values of flags, by the names of the flags: a boolean, a text, or what `parse` returns. */
export type FlagValues<F extends FlagSpecs> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

/** The words and the command's own flags, validated. */
export interface CommandWords<Flags = Readonly<Record<string, never>>> {
  readonly args: readonly string[];
  readonly flags: Flags;
}

type Run<Context, Flags> = () => Promise<
  (context: Context, words: CommandWords<Flags>) => Promise<ExitCode>
>;

interface WithFlags<F extends FlagSpecs> extends Omit<DescribedCommand, 'kind'> {
  readonly flags: F;
  /** Returns why the flags do not go together, as a sentence; undefined where they do. */
  readonly findConflict?: (flags: FlagValues<F>, options: CommonOptions) => string | undefined;
}

/** A console that a command opens, without the service that it connects to. */
export type OpenedConsole = Omit<ConsoleInvocation, 'kind' | keyof ServiceFlags>;

/** A command that needs a connection to a service. */
export interface ServiceCommandSpec<F extends FlagSpecs = FlagSpecs> extends WithFlags<F> {
  readonly kind: 'service';
  /**
   * True for a command that ends by itself after a signal, when the write in flight has its answer; the
   * requests of all others are cancelled.
   */
  readonly finishesWrites?: boolean;
  /** True for a command that is about the alert rules, and stops where one of them is wrong. */
  readonly needsAlerts?: boolean;
  /** True for a command after which services are expected to run on. */
  readonly startsServices?: boolean;
  /**
   * Returns the flags of the console where the command opens that on a terminal; undefined where it
   * prints.
   */
  readonly opensConsole?: (
    words: CommandWords<FlagValues<F>>,
    options: CommonOptions,
  ) => OpenedConsole | undefined;
  readonly run: Run<ServiceCommandContext, FlagValues<F>>;
}

/** A command that runs on this machine alone. */
export interface LocalCommandSpec<F extends FlagSpecs = FlagSpecs> extends WithFlags<F> {
  readonly kind: 'local';
  readonly run: Run<CommandContext, FlagValues<F>>;
}

/** The console, and commands that read their command line themselves. */
export interface ProgramSpec extends DescribedCommand {
  readonly kind: 'program';
}

export type CommandSpec = ServiceCommandSpec | LocalCommandSpec | ProgramSpec;

/** Returns a command with a service; checks that its function takes these flags. */
export function serviceCommand<const F extends FlagSpecs>(
  spec: Omit<ServiceCommandSpec<F>, 'kind'>,
): CommandSpec {
  return { ...spec, kind: 'service' } as unknown as ServiceCommandSpec;
}

/** Returns a command without a service; checks that its function takes these flags. */
export function localCommand<const F extends FlagSpecs>(
  spec: Omit<LocalCommandSpec<F>, 'kind'>,
): CommandSpec {
  return { ...spec, kind: 'local' } as unknown as LocalCommandSpec;
}
