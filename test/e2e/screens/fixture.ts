import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ForeignOptions } from '../../servers/foreign/options.ts';
import type { ServiceRecords } from '../../servers/foreign/records.ts';

/** An action of the person, or an event that they see. */
export type Step =
  | { readonly press: readonly string[] }
  | { readonly type: string }
  /** Waits for a text on the screen. */
  | { readonly see: string }
  /** Waits until a text is gone. */
  | { readonly gone: string }
  /** Waits until the service has had so many requests whose path ends in a text. */
  | { readonly asked: readonly [end: string, count: number] }
  /** Moves the clock, in ms. */
  | { readonly advance: number }
  /** Another client changes a file. */
  | { readonly put: readonly [deployment: string, service: string, path: string, text: string] }
  /** The service writes a log line so many times. */
  | {
      readonly append: readonly [deployment: string, service: string, text: string, times: number];
    }
  /** A grant has spent so much. */
  | { readonly spend: readonly [grant: string, spent: number] }
  /** The service stops to answer. */
  | { readonly away: true };

/** A screen of the console at each size, and what leads to it. */
export interface ScreenFixture {
  /** Name of the service in `services`. */
  readonly service: string;
  /** Answers of the service that differ from those of our host. */
  readonly answers?: Partial<ForeignOptions>;
  /** Environment of the program besides the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Work of an earlier console on this machine. */
  readonly kept?: {
    readonly draft?: readonly [
      deployment: string,
      service: string,
      path: string,
      text: string,
      base: string,
    ];
    readonly unapplied?: readonly [deployment: string, name: string, service: string, path: string];
  };
  readonly steps: readonly Step[];
  /** By size: each row as text, and below it the role of each cell (see `roles.ts`). */
  readonly screens: Readonly<Record<string, readonly string[]>>;
}

/** A service of the fixtures. */
export interface ServiceFixture {
  /** ISO 8601. */
  readonly now: string;
  readonly wallet: string;
  readonly records: ServiceRecords;
}

export const sizes = ['40x12', '80x24', '120x36', '200x50'] as const;

const folder = new URL('../../fixtures/screens/', import.meta.url);

export function screenNames(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''));
}

export function readScreen(name: string): ScreenFixture {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as ScreenFixture;
}

export function readService(name: string): ServiceFixture {
  const text = readFileSync(new URL(`services/${name}.json`, folder), 'utf8');
  return JSON.parse(text) as ServiceFixture;
}

/** Writes the rows of a screen into its fixture, for review. */
export function writeScreen(name: string, screens: ScreenFixture['screens']): void {
  const ordered = Object.fromEntries(sizes.map((size) => [size, screens[size] ?? []]));
  const fixture = { ...readScreen(name), screens: ordered };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(fixture, null, 2)}\n`);
}
