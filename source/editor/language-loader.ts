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
  const loaded = await lazyPart(loaders[name])();
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

const loaders: Readonly<Record<LanguageName, () => Promise<LanguageSupport | Language>>> = {
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  json: async () => (await import('@codemirror/lang-json')).json(),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  typescript: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  tsx: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ typescript: true, jsx: true }),
  python: async () => (await import('@codemirror/lang-python')).python(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  toml: async () =>
    StreamLanguage.define((await import('@codemirror/legacy-modes/mode/toml')).toml),
  properties: async () =>
    StreamLanguage.define((await import('@codemirror/legacy-modes/mode/properties')).properties),
  shell: async () =>
    StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell),
  dockerfile: async () =>
    StreamLanguage.define((await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
  nginx: async () =>
    StreamLanguage.define((await import('@codemirror/legacy-modes/mode/nginx')).nginx),
};
