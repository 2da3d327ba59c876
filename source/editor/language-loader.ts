import {
  getIndentUnit,
  indentService,
  LanguageSupport,
  StreamLanguage,
  type Language,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { LanguageName } from './languages.ts';
import { lazyPart } from '../system/lazy-part.ts';

/** A loaded language for a text editor. */
export interface LoadedLanguage {
  readonly name: LanguageName;
  readonly language: Language;
  /** The extensions of the language besides its grammar. */
  readonly support: Extension;
  /** The indentation unit of a text without indentation. */
  readonly indentUnit: string;
  /** Language data for the editor's commands that the language itself lacks. */
  readonly languageData: Readonly<Record<string, unknown>>;
}

/** Loads a language. Each one is a separate chunk. */
export async function loadLanguage(name: LanguageName): Promise<LoadedLanguage> {
  const loaded = await loaders[name]();
  const { language, support } =
    loaded instanceof LanguageSupport ? loaded : new LanguageSupport(loaded);
  return {
    name,
    language,
    support: name === 'yaml' ? [indentBelowKeys, support] : support,
    indentUnit: fourSpaceLanguages.has(name) ? '    ' : '  ',
    languageData: hashCommentLanguages.has(name) ? { commentTokens: { line: '#' } } : {},
  };
}

/** Indents below a YAML key without a value, which the YAML grammar does not do. */
const indentBelowKeys = indentService.of((context, position) => {
  const { text } = context.lineAt(position, -1);
  if (text.length > maxKeyLineLength || !/:[ \t]*$/.test(text) || /^\s*#/.test(text))
    return undefined;
  const start = /^[ \t]*(?:- +)*/.exec(text)?.[0] ?? '';
  return context.countColumn(start) + getIndentUnit(context.state);
});

const maxKeyLineLength = 1000;

const fourSpaceLanguages: ReadonlySet<LanguageName> = new Set(['python', 'nginx', 'dockerfile']);

/** Languages whose modes do not declare their comment syntax. */
const hashCommentLanguages: ReadonlySet<LanguageName> = new Set(['nginx', 'properties']);

const packages = {
  yaml: lazyPart(() => import('@codemirror/lang-yaml')),
  json: lazyPart(() => import('@codemirror/lang-json')),
  javascript: lazyPart(() => import('@codemirror/lang-javascript')),
  python: lazyPart(() => import('@codemirror/lang-python')),
  html: lazyPart(() => import('@codemirror/lang-html')),
  css: lazyPart(() => import('@codemirror/lang-css')),
  markdown: lazyPart(() => import('@codemirror/lang-markdown')),
  sql: lazyPart(() => import('@codemirror/lang-sql')),
  toml: lazyPart(() => import('@codemirror/legacy-modes/mode/toml')),
  properties: lazyPart(() => import('@codemirror/legacy-modes/mode/properties')),
  shell: lazyPart(() => import('@codemirror/legacy-modes/mode/shell')),
  dockerfile: lazyPart(() => import('@codemirror/legacy-modes/mode/dockerfile')),
  nginx: lazyPart(() => import('@codemirror/legacy-modes/mode/nginx')),
};

const loaders: Readonly<Record<LanguageName, () => Promise<LanguageSupport | Language>>> = {
  yaml: async () => (await packages.yaml()).yaml(),
  json: async () => (await packages.json()).json(),
  javascript: async () => (await packages.javascript()).javascript({ jsx: true }),
  typescript: async () => (await packages.javascript()).javascript({ typescript: true }),
  tsx: async () => (await packages.javascript()).javascript({ typescript: true, jsx: true }),
  python: async () => (await packages.python()).python(),
  html: async () => (await packages.html()).html(),
  css: async () => (await packages.css()).css(),
  markdown: async () => (await packages.markdown()).markdown(),
  sql: async () => (await packages.sql()).sql(),
  toml: async () => StreamLanguage.define((await packages.toml()).toml),
  properties: async () => StreamLanguage.define((await packages.properties()).properties),
  shell: async () => StreamLanguage.define((await packages.shell()).shell),
  dockerfile: async () => StreamLanguage.define((await packages.dockerfile()).dockerFile),
  nginx: async () => StreamLanguage.define((await packages.nginx()).nginx),
};
