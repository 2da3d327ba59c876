/** Recognises files of other tools by their content, because they are mistaken for definitions. */

/** A text in the format of another tool. */
export interface ForeignFormat {
  /** Name of the format with its article: `a Compose file`. */
  readonly name: string;
  /** Advice how to write the same in a definition; may be empty. */
  readonly hint: string;
}

interface FormatSigns extends ForeignFormat {
  /** Every such text matches all of them. */
  readonly signs: readonly RegExp[];
  /** No such text matches it. */
  readonly others?: RegExp;
  /** Returns whether the lines are those of such a text. */
  readonly hasLines?: (lines: readonly string[]) => boolean;
}

/** Top-level parts of a definition. */
const ownParts = /^["']?(?:profiles|deployment)["']?:/m;

const composeKeys =
  'build|container_name|depends_on|entrypoint|env_file|environment|healthcheck|networks|ports|restart|volumes';

const formats: readonly FormatSigns[] = [
  {
    name: 'a Kubernetes manifest',
    hint: '',
    signs: [/^apiVersion: *\S/m, /^kind: *\S/m],
  },
  {
    name: 'a blueprint of Render (render.yaml)',
    hint: '',
    signs: [/^services: *(?:#.*)?\r?\n *- +(?:type|name|runtime): /m],
    others: ownParts,
  },
  {
    name: 'a Compose file',
    hint: 'Use env for environment, expose for ports, and profiles for sizes and prices.',
    signs: [
      /^services:/m,
      new RegExp(`^ +(?:image|${composeKeys}):`, 'm'),
      new RegExp(`^ +(?:${composeKeys}):|^(?:volumes|networks|version: *["']?[13]\\b)`, 'm'),
    ],
    others: ownParts,
  },
  {
    name: 'a Dockerfile',
    hint: 'Build an image from it, and name the image in a definition.',
    signs: [/^FROM +\S/im],
    hasLines: (lines) => /^FROM +\S/i.test(lines.find((line) => !/^ARG /i.test(line)) ?? ''),
  },
  {
    name: 'the configuration of Fly.io (fly.toml)',
    hint: '',
    signs: [
      /^app *= *["']/m,
      /^\[+(?:build|deploy|env|http_service|mounts|processes|services|vm)\b|^primary_region *=/m,
    ],
  },
  {
    name: 'a package.json',
    hint: '',
    signs: [/^\s*\{/, /"(?:name|version)" *:/, /"(?:scripts|dependencies|devDependencies)" *:/],
    others: /"(?:profiles|deployment)" *:/,
  },
  {
    name: 'a Procfile',
    hint: 'Each of its lines is a service with a command.',
    signs: [/^(?:web|worker|release|clock|scheduler): +\S/m],
    others: /^(?:version|services|profiles|deployment):/m,
    hasLines: (lines) => lines.every((line) => /^[\w-]+: +[^\s#{["'&*|>]/.test(line)),
  },
];

/** Most characters that are searched, because some signs take long in a long text. */
const maxSearched = 16_384;

/** Returns the foreign format of a text; undefined for a definition or an unknown format. */
export function findForeignFormat(text: string): ForeignFormat | undefined {
  const head = text.slice(0, maxSearched);
  const lines = head.split(/\r?\n/).filter((line) => !/^[ \t]*(?:#|$)/.test(line));
  return formats.find(
    ({ signs, others, hasLines }) =>
      signs.every((sign) => sign.test(head)) &&
      others?.test(text) !== true &&
      hasLines?.(lines) !== false,
  );
}
