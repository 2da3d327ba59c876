import {
  getIndentUnit,
  indentService,
  LanguageSupport,
  StreamLanguage,
  type Language,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { LanguageName } from './languages.ts';

/** A language that a text editor can be set to. */
export interface LoadedLanguage {
  readonly name: LanguageName;
  readonly language: Language;
  /** What the language brings beside its grammar. */
  readonly support: Extension;
  /** What a text of it is indented by that has no indentation yet. */
  readonly indent: string;
  /** Known to the editor's commands beside what the language says of itself. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Loads what the editor needs for a language. Each is a part of its own, loaded when wanted. */
export async function loadLanguage(name: LanguageName): Promise<LoadedLanguage> {
  const loaded = await loaders[name]();
  const { language, support } =
    loaded instanceof LanguageSupport ? loaded : new LanguageSupport(loaded);
  return {
    name,
    language,
    support: name === 'yaml' ? [belowKeys, support] : support,
    indent: fourSpaces.has(name) ? '    ' : '  ',
    data: withHashComments.has(name) ? { commentTokens: { line: '#' } } : {},
  };
}

/** Indents below a key of YAML that has no value yet; its grammar does not. */
const belowKeys = indentService.of((context, position) => {
  const { text } = context.lineAt(position, -1);
  if (text.length > longestKeyLine || !/:[ \t]*$/.test(text) || /^\s*#/.test(text))
    return undefined;
  const start = /^[ \t]*(?:- +)*/.exec(text)?.[0] ?? '';
  return context.countColumn(start) + getIndentUnit(context.state);
});

const longestKeyLine = 1000;

const fourSpaces: ReadonlySet<LanguageName> = new Set(['python', 'nginx', 'dockerfile']);

/** Those whose modes do not say how a comment begins. */
const withHashComments: ReadonlySet<LanguageName> = new Set(['nginx', 'properties']);

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
