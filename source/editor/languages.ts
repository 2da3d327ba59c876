/** Detects a file's language from its name or first line. */
export type LanguageName =
  | 'yaml'
  | 'json'
  | 'javascript'
  | 'typescript'
  | 'tsx'
  | 'python'
  | 'html'
  | 'css'
  | 'markdown'
  | 'toml'
  | 'properties'
  | 'shell'
  | 'dockerfile'
  | 'nginx'
  | 'sql';

/** Languages by complete file name. */
const byName: ReadonlyMap<string, LanguageName> = new Map([
  ...entriesOf('dockerfile', 'dockerfile containerfile'),
  ...entriesOf(
    'nginx',
    'nginx.conf mime.types fastcgi_params uwsgi_params scgi_params proxy_params',
  ),
  ...entriesOf('shell', '.bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .envrc'),
  ...entriesOf('properties', '.env .npmrc .editorconfig .gitconfig .pypirc'),
  ...entriesOf('json', '.babelrc .eslintrc .prettierrc composer.lock'),
  ...entriesOf('toml', 'cargo.lock poetry.lock uv.lock pipfile'),
  ...entriesOf('yaml', '.clang-format .yamllint'),
]);

/** Languages by file extension. */
const byExtension: ReadonlyMap<string, LanguageName> = new Map([
  ...entriesOf('yaml', 'yaml yml'),
  ...entriesOf('json', 'json webmanifest geojson map ipynb'),
  ...entriesOf('javascript', 'js mjs cjs jsx'),
  ...entriesOf('typescript', 'ts mts cts'),
  ...entriesOf('tsx', 'tsx'),
  ...entriesOf('python', 'py pyi pyw wsgi'),
  ...entriesOf('html', 'html htm xhtml'),
  ...entriesOf('css', 'css'),
  ...entriesOf('markdown', 'md markdown'),
  ...entriesOf('toml', 'toml'),
  ...entriesOf('properties', 'ini properties env cfg cnf service socket timer desktop'),
  ...entriesOf('shell', 'sh bash zsh ksh ash dash'),
  ...entriesOf('dockerfile', 'dockerfile containerfile'),
  ...entriesOf('nginx', 'nginx nginxconf'),
  ...entriesOf('sql', 'sql'),
]);

/** Languages by interpreter in a shebang line, without its version. */
const byInterpreter: ReadonlyMap<string, LanguageName> = new Map([
  ...entriesOf('shell', 'sh bash zsh ksh ash dash'),
  ...entriesOf('python', 'python pypy'),
  ...entriesOf('javascript', 'node nodejs'),
  ...entriesOf('typescript', 'deno bun tsx ts-node'),
]);

/** Folders of nginx: every file below them is nginx configuration. */
const nginxFolder = /(?:^|\/)(?:nginx|sites-(?:available|enabled))\//;

/** Code units of the first line that are inspected. */
const maxFirstLineLength = 200;

/** Returns a file's language by its name or else its first line; undefined for plain text. */
export function languageOf(path: string, firstLine = ''): LanguageName | undefined {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  return byName.get(name) ?? languageOfName(name, lower) ?? languageOfFirstLine(firstLine);
}

function languageOfName(name: string, path: string): LanguageName | undefined {
  const [first = '', ...others] = name.split('.');
  const last = others.at(-1);
  if (first === 'dockerfile' || first === 'containerfile') return 'dockerfile';
  // Matches `.env.production` and its like.
  if (first === '' && others[0] === 'env') return 'properties';
  const language = last === undefined ? undefined : byExtension.get(last);
  if (language !== undefined) return language;
  const canBeConfiguration = last === undefined || last === 'conf';
  return canBeConfiguration && nginxFolder.test(path) ? 'nginx' : undefined;
}

function languageOfFirstLine(line: string): LanguageName | undefined {
  const start = line.slice(0, maxFirstLineLength);
  const [program = '', ...rest] =
    /^\ufeff?#!\s*(.+)$/.exec(start.trimEnd())?.[1]?.split(/\s+/) ?? [];
  if (program !== '') {
    const isEnv = /(?:^|\/)env$/.test(program);
    const interpreter = isEnv
      ? rest.find((word) => !word.startsWith('-') && !word.includes('='))
      : program;
    const interpreterName = interpreter
      ?.slice(interpreter.lastIndexOf('/') + 1)
      .replace(/[\d.]+$/, '');
    return interpreterName === undefined ? undefined : byInterpreter.get(interpreterName);
  }
  if (/^\ufeff?<!doctype html/i.test(start)) return 'html';
  return /^\ufeff?%YAML\s|^---(?:\s|$)/.test(start) ? 'yaml' : undefined;
}

function entriesOf(language: LanguageName, names: string): [string, LanguageName][] {
  return names.split(' ').map((name) => [name, language]);
}
