import type { ServiceRecords } from './records.ts';

/** Variants of the foreign service for each open point. Every default differs from hostdeck's host. */
export interface ForeignOptions {
  /** Token of the wallet {@link ForeignOptions.wallet}. */
  readonly token: string;
  readonly wallet: string;
  /** Path of the base URL. */
  readonly prefix: string;
  /** Envelope of lists and single resources. */
  readonly envelope: 'bare' | 'named' | 'data' | 'result' | 'data-items';
  readonly fieldCase: 'snake' | 'camel';
  /** `ids` lists deployments as their ids alone, and answers with nothing but the id. */
  readonly deployments: 'records' | 'ids';
  /** Answers with the definition: lists and single deployments, single ones only, or none. */
  readonly sdl: 'listed' | 'single' | 'absent';
  readonly services: 'names' | 'objects' | 'keyed' | 'absent';
  readonly files: 'paths' | 'records' | 'folders';
  /** `bare-envelope` is `{content}` alone, which looks like a JSON file. */
  readonly content: 'raw' | 'envelope' | 'bare-envelope' | 'base64';
  readonly pathForm: 'whole' | 'segments' | 'both';
  readonly logOrder: 'oldest' | 'newest';
  readonly logIds: 'holes' | 'dense' | 'huge' | 'text' | 'none';
  readonly logLines: 'records' | 'strings';
  /** Lines that a stream repeats when it opens. */
  readonly logReplay: number;
  /**
   * Each tenth frame comes behind the next one, comes twice, or is an array with the next one; or all are
   * binary.
   */
  readonly logFrames: 'single' | 'swapped' | 'doubled' | 'arrays' | 'binary';
  /**
   * Milliseconds by which the clocks of services are off, by name; `step`: of one that is set when the log
   * has `after` lines.
   */
  readonly logClocks: Readonly<
    Record<string, number | { readonly step: number; readonly after: number }>
  >;
  readonly errors: 'detail' | 'text' | 'message' | 'nested' | 'list' | 'html';
  readonly grants: 'two-lists' | 'as-lists' | 'flat';
  readonly streamAuth: 'header' | 'subprotocol' | 'query';
  /** Messages between the log lines: of other types, or also ones that nobody can read. */
  readonly chatter: 'none' | 'others' | 'unreadable';
  /** Most deployments in a list. */
  readonly largestList: number;
  /** Largest page of logs. */
  readonly largestLogPage: number;
  /** Largest file content in a PUT and an upload, bytes. */
  readonly largestFile: number;
  /** Modification time of the files in a list, ms since the epoch; the service's clock by default. */
  readonly filesAt: number | undefined;
  /** The service's clock, ms since the epoch. */
  readonly now: () => number;
  /** Interval in ms at which each service writes a line; 0 for none. */
  readonly lineEvery: number;
  /** Contents of the service at its start, served unchanged; by default one deployment `bazaar`. */
  readonly records: ServiceRecords | undefined;
}

export const foreignDefaults: ForeignOptions = {
  token: 'foreign-token-5b1f',
  wallet: 'cosmos1foreign',
  prefix: '/hosting/v9',
  envelope: 'bare',
  fieldCase: 'snake',
  deployments: 'records',
  sdl: 'listed',
  services: 'names',
  files: 'paths',
  content: 'raw',
  pathForm: 'whole',
  logOrder: 'oldest',
  logIds: 'holes',
  logLines: 'records',
  logReplay: 0,
  logFrames: 'single',
  logClocks: {},
  errors: 'detail',
  grants: 'two-lists',
  streamAuth: 'header',
  chatter: 'others',
  largestList: Number.POSITIVE_INFINITY,
  largestLogPage: 500,
  largestFile: 1024 * 1024,
  filesAt: undefined,
  now: () => Date.now(),
  lineEvery: 0,
  records: undefined,
};
