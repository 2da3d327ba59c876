import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** The expected request for a service's container; undefined fields keep those of the image. */
export interface ExpectedContainer {
  readonly service: string;
  /** Line of the image in the text. */
  readonly line: number;
  readonly entrypoint: readonly string[] | undefined;
  readonly command: readonly string[] | undefined;
}

/** A definition of the corpus, and the expected outcome of its services. */
export interface ImageCase {
  readonly title: string;
  /** Returns the definition, with services that run `image` and create files in `canary`. */
  readonly text: (image: string, canary: string) => string;
  /** Services with an image. */
  readonly containers: readonly ExpectedContainer[];
  /** Services without an image. */
  readonly processes: readonly string[];
  /** Line of a mistake that every runtime refuses; undefined for a valid definition. */
  readonly mistakeLine: number | undefined;
}

const file = path.join(import.meta.dirname, 'definitions.txt');

/**
 * The cases: each begins with `=== title`, goes on with the services, and ends with its outcome in
 * lines that begin with `=> `.
 */
export function readImageCases(): readonly ImageCase[] {
  return readFileSync(file, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      const outcome = lines.filter((line) => line.startsWith('=> '));
      const body = lines.filter((line) => !line.startsWith('=> ')).join('\n');
      const text = (image: string, canary: string) => wholeText(body, image, canary);
      return Object.assign(read(outcome), { title, text });
    });
}

function read(outcome: readonly string[]): Omit<ImageCase, 'title' | 'text'> {
  const containers: ExpectedContainer[] = [];
  const processes: string[] = [];
  let mistakeLine: number | undefined;
  for (const line of outcome) {
    const [, kind = '', rest = ''] = /^=> (\w+) (.*)$/.exec(line) ?? [];
    if (kind === 'mistake') {
      mistakeLine = Number(rest);
    } else if (kind === 'process') {
      processes.push(rest);
    } else {
      const { service, at, ...asked } = JSON.parse(rest) as {
        readonly service: string;
        readonly at: number;
        readonly entrypoint?: readonly string[];
        readonly command?: readonly string[];
      };
      const { entrypoint, command } = asked;
      containers.push({ service, line: at, entrypoint, command });
    }
  }
  return { containers, processes, mistakeLine };
}

function wholeText(body: string, image: string, canary: string): string {
  const written = body.replaceAll('IMAGE', image).replaceAll('CANARY', canary);
  const count = Number(/^count: (\d+)\n/.exec(written)?.[1] ?? 1);
  const own = written.replace(/^count: .*\n/, '');
  const options = { merge: true, uniqueKeys: false };
  const parsed = readServices(own, options);
  const names = Object.keys(parsed.services);
  const profiles = {
    compute: { small: {} },
    placement: { here: { pricing: { small: { amount: 0 } } } },
  };
  const deployment = Object.fromEntries(
    names.map((name) => [name, { here: { profile: 'small', count } }]),
  );
  if (own.startsWith('{'))
    return JSON.stringify({ version: '2.0', ...parsed, profiles, deployment });
  const version = own.startsWith('version') ? '' : 'version: "2.0"\n';
  const rest = `profiles: ${JSON.stringify(profiles)}\ndeployment: ${JSON.stringify(deployment)}\n`;
  return `${version}${own}\n${rest}`;
}

/** Returns the services; a text that only a lenient parser accepts has one. */
function readServices(text: string, options: { readonly merge: boolean }) {
  try {
    return parse(text, options) as { readonly services: Readonly<Record<string, unknown>> };
  } catch {
    return { services: { web: {} } };
  }
}
