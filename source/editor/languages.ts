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

/** What a whole file name says. */
const byName: ReadonlyMap<string, LanguageName> = new Map([
  ...named('dockerfile', 'dockerfile containerfile'),
  ...named('nginx', 'nginx.conf mime.types fastcgi_params uwsgi_params scgi_params proxy_params'),
  ...named('shell', '.bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .envrc'),
  ...named('properties', '.env .npmrc .editorconfig .gitconfig .pypirc'),
  ...named('json', '.babelrc .eslintrc .prettierrc composer.lock'),
  ...named('toml', 'cargo.lock poetry.lock uv.lock pipfile'),
  ...named('yaml', '.clang-format .yamllint'),
]);

/** What a file name's last part says. */
const byExtension: ReadonlyMap<string, LanguageName> = new Map([
  ...named('yaml', 'yaml yml'),
  ...named('json', 'json webmanifest geojson map ipynb'),
  ...named('javascript', 'js mjs cjs jsx'),
  ...named('typescript', 'ts mts cts'),
  ...named('tsx', 'tsx'),
  ...named('python', 'py pyi pyw wsgi'),
  ...named('html', 'html htm xhtml'),
  ...named('css', 'css'),
  ...named('markdown', 'md markdown'),
  ...named('toml', 'toml'),
  ...named('properties', 'ini properties env cfg cnf service socket timer desktop'),
  ...named('shell', 'sh bash zsh ksh ash dash'),
  ...named('dockerfile', 'dockerfile containerfile'),
  ...named('nginx', 'nginx nginxconf'),
  ...named('sql', 'sql'),
]);

/** Programs that a first line asks to be run by, without their version. */
const byInterpreter: ReadonlyMap<string, LanguageName> = new Map([
  ...named('shell', 'sh bash zsh ksh ash dash'),
  ...named('python', 'python pypy'),
  ...named('javascript', 'node nodejs'),
  ...named('typescript', 'deno bun tsx ts-node'),
]);

/** Folders of nginx, in which any file is its configuration. */
const nginxFolder = /(?:^|\/)(?:nginx|sites-(?:available|enabled))\//;

/** How much of a first line is looked at. */
const longestFirstLine = 200;

/**
 * The language of a file, from its name and, where that says nothing, from its first line;
 * undefined for plain text.
 */
export function languageOf(path: string, firstLine = ''): LanguageName | undefined {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  return byName.get(name) ?? ofParts(name, lower) ?? ofFirstLine(firstLine);
}

function ofParts(name: string, path: string): LanguageName | undefined {
  const [first = '', ...others] = name.split('.');
  const last = others.at(-1);
  if (first === 'dockerfile' || first === 'containerfile') return 'dockerfile';
  // As in `.env.production`.
  if (first === '' && others[0] === 'env') return 'properties';
  const known = last === undefined ? undefined : byExtension.get(last);
  if (known !== undefined) return known;
  const isConfiguration = last === undefined || last === 'conf';
  return isConfiguration && nginxFolder.test(path) ? 'nginx' : undefined;
}

function ofFirstLine(line: string): LanguageName | undefined {
  const start = line.slice(0, longestFirstLine);
  const [program = '', ...rest] =
    /^\ufeff?#!\s*(.+)$/.exec(start.trimEnd())?.[1]?.split(/\s+/) ?? [];
  if (program !== '') {
    const isEnv = /(?:^|\/)env$/.test(program);
    const run = isEnv ? rest.find((word) => !word.startsWith('-') && !word.includes('=')) : program;
    const base = run?.slice(run.lastIndexOf('/') + 1).replace(/[\d.]+$/, '');
    return base === undefined ? undefined : byInterpreter.get(base);
  }
  if (/^\ufeff?<!doctype html/i.test(start)) return 'html';
  return /^\ufeff?%YAML\s|^---(?:\s|$)/.test(start) ? 'yaml' : undefined;
}

function named(language: LanguageName, names: string): [string, LanguageName][] {
  return names.split(' ').map((name) => [name, language]);
}
