/** Recognises files of other tools by what they contain, since somebody may take one for a definition. */

/** A text in the format of another tool. */
export interface ForeignFormat {
  /** Name of the format with its article: `a Compose file`. */
  readonly name: string;
  /** The parts of a definition that stand for its own; empty where none do. */
  readonly hint: string;
}

interface FormatSigns extends ForeignFormat {
  /** All of them are in such a text. */
  readonly signs: readonly RegExp[];
  /** It is in no such text. */
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
    hint: 'env stands for environment, expose for ports; profiles and deployment give sizes, price and count.',
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

/** Characters that are looked at, because some signs take long in a long text. */
const looked = 16_384;

/** Returns the format of a text that is no definition; undefined where nothing tells so. */
export function findForeignFormat(text: string): ForeignFormat | undefined {
  const head = text.slice(0, looked);
  const lines = head.split(/\r?\n/).filter((line) => !/^[ \t]*(?:#|$)/.test(line));
  return formats.find(
    ({ signs, others, hasLines }) =>
      signs.every((sign) => sign.test(head)) &&
      others?.test(text) !== true &&
      hasLines?.(lines) !== false,
  );
}
