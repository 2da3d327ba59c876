/** Parses the text of the configuration file. */
import path from 'node:path';
import {
  type ConfigFile,
  type ConfiguredProfile,
  type KeySetting,
  localProfile,
  nameColours,
  type ProfileToken,
  themeNames,
} from './config-file.ts';
import { type ConfigField, type ConfigReader, createConfigReader } from './config-reader.ts';
import { type Configured, readBaseUrl, type StreamAuth, streamAuths } from './environment.ts';
import { findNearName } from '../contract/sdl/near-name.ts';
import { formatPlainText } from '../contract/sdl/shown-text.ts';
import { readAlerts } from './read-alerts.ts';
import { bytesRange, linesRange, parseLogMemory } from './log-memory.ts';
import { parseProofSeconds, proofRange } from '../contract/proof-length.ts';
import { delayRange, parseRestartDelay } from '../contract/restart-delay.ts';

const topKeys = ['profiles', 'default', 'theme', 'keys', 'log', 'bell', 'alerts'] as const;
const logKeys = ['lines', 'bytes'] as const;
const profileKeys = [
  'baseUrl',
  'tokenFile',
  'tokenCommand',
  'wallet',
  'readOnly',
  'colour',
  'restartDelay',
  'proof',
  'streamAuth',
  'alerts',
] as const;

/** Keys of earlier versions, at the top and in a profile. */
const removedKeys = ['quiet'];

/**
 * Keys that decide where requests go, with which token, and what may be written. A mistake in them stops
 * the program; with one in any other key it starts with the default.
 */
const vitalKeys = [
  'profiles',
  'default',
  'baseUrl',
  'tokenFile',
  'tokenCommand',
  'wallet',
  'readOnly',
  'restartDelay',
  'streamAuth',
];

const profileName = /^[A-Za-z0-9][\w.-]{0,39}$/;

/** Matches the keys under which somebody may write the token itself. */
const tokenKey = /^(?:access[-_]?)?token$/i;

const tokenInFile = {
  sentence: 'A token must not be in this file.',
  next: 'Put it into a file of mode 0600, and the path of that file into tokenFile.',
};

/**
 * Parses the file. The problem is its first mistake, with the line and the expected value.
 * @param file path of the file; token files are relative to its folder.
 * @param home folder that `~/` stands for.
 * @param needsAlerts whether a mistake in the alert rules stops the program.
 */
export function parseConfig(
  text: string,
  file: string,
  home: string,
  needsAlerts = false,
): Configured<ConfigFile> {
  const reader = createConfigReader(text, file);
  const vital = needsAlerts ? [...vitalKeys, 'alerts'] : vitalKeys;
  const fields = reader.fields(reader.root, { known: topKeys, removed: removedKeys, vital });
  const profiles = readProfiles(reader, fields.get('profiles'), {
    vital,
    resolve: (name) => path.resolve(path.dirname(file), name.replace(/^~(?=\/)/, home)),
  });
  const value: ConfigFile = {
    path: file,
    profiles,
    defaultProfile: readDefault(reader, fields.get('default'), profiles),
    theme: reader.value(fields.get('theme'), oneOf(themeNames), choiceOf(themeNames)),
    keys: readKeys(reader, fields.get('keys')),
    logMemory: readLog(reader, fields.get('log')),
    bell: reader.value(fields.get('bell'), 'on or off', parseSwitch),
    alerts: readAlerts(reader, fields.get('alerts')),
    warnings: [],
  };
  const problem = reader.problem();
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, value: { ...value, warnings: reader.warnings() } };
}

interface ProfileReading {
  readonly vital: readonly string[];
  /** Returns the path of a token file. */
  readonly resolve: (name: string) => string;
}

function readProfiles(
  reader: ConfigReader,
  field: ConfigField | undefined,
  reading: ProfileReading,
): ReadonlyMap<string, ConfiguredProfile> {
  const profiles = new Map<string, ConfiguredProfile>();
  if (field === undefined) return profiles;
  for (const entry of reader.entries(field, 'a map of profiles by their names')) {
    const { key: name } = entry;
    if (name === localProfile) {
      reader.refuse(entry, 'local is the host on this machine.', 'Choose another name.');
    } else if (!profileName.test(name)) {
      const next = 'It must be at most 40 letters, digits, ".", "_" and "-".';
      reader.refuse(entry, 'The name of the profile is not valid.', next);
    }
    profiles.set(name, readProfile(reader, entry, reading));
  }
  return profiles;
}

function readProfile(
  reader: ConfigReader,
  entry: ConfigField,
  { vital, resolve }: ProfileReading,
): ConfiguredProfile {
  const fields = reader.fields(entry, {
    known: profileKeys,
    removed: removedKeys,
    vital,
    // It may be a key of a newer version that protects the service.
    isStrict: true,
    required: ['baseUrl'],
    refusal: (key) => (tokenKey.test(key) ? tokenInFile : undefined),
  });
  const text = (key: (typeof profileKeys)[number], expected: string) =>
    reader.value(fields.get(key), expected, (found) => found.trim() || undefined);
  const baseUrl = reader.value(fields.get('baseUrl'), urlForm, (found) => {
    const url = readBaseUrl(found);
    return url.ok ? url.value : undefined;
  });
  const tokenFile = text('tokenFile', 'the path of a file');
  const tokenCommand = text('tokenCommand', 'a shell command');
  const second = fields.get('tokenCommand');
  if (second !== undefined && tokenFile !== undefined) {
    reader.refuse(
      second,
      `${entry.key} has a tokenFile and a tokenCommand.`,
      'Remove one of them.',
    );
  }
  return {
    name: entry.key,
    baseUrl: baseUrl ?? '',
    token: tokenOf(tokenFile === undefined ? undefined : resolve(tokenFile), tokenCommand),
    wallet: text('wallet', 'a wallet address'),
    readOnly: reader.value(fields.get('readOnly'), 'true or false', parseSwitch) ?? false,
    colour: reader.value(fields.get('colour'), oneOf(nameColours), choiceOf(nameColours)),
    restartDelay: reader.value(fields.get('restartDelay'), delayRange, parseRestartDelay),
    proofSeconds: reader.value(fields.get('proof'), proofRange, parseProofSeconds),
    streamAuth: reader.value<StreamAuth>(
      fields.get('streamAuth'),
      oneOf(streamAuths),
      choiceOf(streamAuths),
    ),
    alerts: readAlerts(reader, fields.get('alerts')),
  };
}

const urlForm = 'an http or https URL without a user, a query or a fragment';

function tokenOf(file: string | undefined, command: string | undefined): ProfileToken | undefined {
  if (file !== undefined) return { kind: 'file', path: file };
  return command === undefined ? undefined : { kind: 'command', command };
}

function readDefault(
  reader: ConfigReader,
  field: ConfigField | undefined,
  profiles: ConfigFile['profiles'],
): string | undefined {
  const names = [...profiles.keys(), localProfile];
  const name = reader.value(field, `one of the profiles: ${names.join(', ')}`, (found) => found);
  if (field === undefined || name === undefined || names.includes(name)) return name;
  const near = findNearName(name, names);
  const next =
    near === undefined ? `It must be one of ${names.join(', ')}.` : `Did you mean ${near}?`;
  reader.refuse(field, `There is no profile ${formatPlainText(name)}.`, next);
  return undefined;
}

function readKeys(
  reader: ConfigReader,
  field: ConfigField | undefined,
): ReadonlyMap<string, KeySetting> {
  if (field === undefined) return new Map();
  const entries = reader.entries(field, 'a map from the id of a command to its keys');
  return new Map(
    entries.flatMap((entry): [string, KeySetting][] => {
      const keys = reader.texts(entry, 'a key or a list of keys, like [e, f4]');
      return keys === undefined ? [] : [[entry.key, { keys, line: reader.lineOf(entry) }]];
    }),
  );
}

function readLog(reader: ConfigReader, field: ConfigField | undefined): ConfigFile['logMemory'] {
  const none = { maxLines: undefined, maxBytes: undefined };
  if (field === undefined) return none;
  const fields = reader.fields(field, { known: logKeys });
  const lines = reader.value(fields.get('lines'), `a number ${linesRange}`, (text) => {
    const read = parseLogMemory({ lines: text, bytes: undefined });
    return read.ok ? read.value.maxLines : undefined;
  });
  const bytes = reader.value(fields.get('bytes'), `a size ${bytesRange}`, (text) => {
    const read = parseLogMemory({ lines: undefined, bytes: text });
    return read.ok ? read.value.maxBytes : undefined;
  });
  return { maxLines: lines, maxBytes: bytes };
}

function parseSwitch(text: string): boolean | undefined {
  if (/^(?:true|on|yes)$/i.test(text)) return true;
  return /^(?:false|off|no)$/i.test(text) ? false : undefined;
}

function choiceOf<T extends string>(choices: readonly T[]): (text: string) => T | undefined {
  return (text) => choices.find((choice) => choice === text);
}

function oneOf(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.slice(-1).join('')}`;
}
