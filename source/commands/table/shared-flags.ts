/** The flags that commands share. */
import type { DescribedCommand, FlagSpecs } from './described-command.ts';

/** The values of the shared flags; off or undefined for a command that doesn't have them. */
export interface CommonOptions {
  readonly json: boolean;
  readonly fields: readonly string[] | undefined;
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** Flags that choose the service. */
export const connectionFlags = {
  profile: {
    type: 'value',
    value: 'NAME',
    completes: 'profile',
    summary: 'profile of config.yaml to connect to; local: the host on this machine',
  },
  'base-url': {
    type: 'value',
    value: 'URL',
    summary: 'service to connect to (or HOSTDECK_BASE_URL)',
  },
} as const satisfies FlagSpecs;

const outputFlags: FlagSpecs = {
  json: { type: 'switch', summary: 'print JSON; errors are JSON objects on stderr' },
  quiet: { type: 'switch', letter: 'q', summary: 'print ids only, or nothing' },
};

const fieldsFlag: FlagSpecs = {
  fields: {
    type: 'value',
    value: 'NAME,...',
    summary: 'fields of the JSON records, separated by commas; needs --json',
    expected: 'names of fields, separated by commas',
    parse: parseFields,
  },
};

const askingFlag: FlagSpecs = {
  yes: { type: 'switch', letter: 'y', summary: 'do not ask; names must be exact' },
};

const writingFlag: FlagSpecs = {
  'dry-run': { type: 'switch', summary: 'print what would be done, and do nothing' },
};

/** Flags that every command has, which the parser answers itself. */
export const universalFlags = {
  help: { type: 'switch', letter: 'h', summary: 'show this help' },
  version: { type: 'switch', letter: 'V', summary: 'show the version' },
} as const satisfies FlagSpecs;

/** Returns the flags that a command shares with others, by what it does. */
export function sharedFlagsOf(command: Omit<DescribedCommand, 'flags'>): FlagSpecs {
  const { kind, asks = false, writes = false, prints = false } = command;
  if (kind === 'program') return {};
  return {
    ...(asks && askingFlag),
    ...(writes && writingFlag),
    ...outputFlags,
    ...(prints && fieldsFlag),
    ...(kind === 'service' && connectionFlags),
  };
}

/** Returns all flags of a command: its own, those it shares, and `--help` and `--version`. */
export function flagsOf(command: DescribedCommand): FlagSpecs {
  return { ...command.flags, ...sharedFlagsOf(command), ...universalFlags };
}

function parseFields(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => name !== '') ? names : undefined;
}
