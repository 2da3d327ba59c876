/** How the foreign service answers each open point. Every default differs from our own host's way. */
export interface ForeignOptions {
  /** The service's token; its wallet is {@link ForeignOptions.wallet}. */
  readonly token: string;
  readonly wallet: string;
  /** Path of the base URL. */
  readonly prefix: string;
  /** What stands around lists and single resources. */
  readonly envelope: 'bare' | 'named' | 'data' | 'result' | 'data-items';
  readonly fieldCase: 'snake' | 'camel';
  /** Where definitions are given: with each deployment, only with a single one, or nowhere. */
  readonly sdl: 'listed' | 'single' | 'absent';
  readonly services: 'names' | 'objects' | 'keyed' | 'absent';
  readonly files: 'paths' | 'records' | 'folders';
  /** `bare-envelope` is `{content}` alone, which looks like a JSON file. */
  readonly content: 'raw' | 'envelope' | 'bare-envelope' | 'base64';
  readonly pathForm: 'whole' | 'segments' | 'both';
  readonly logOrder: 'oldest' | 'newest';
  readonly logIds: 'holes' | 'dense' | 'huge' | 'text' | 'none';
  readonly logLines: 'records' | 'strings';
  readonly errors: 'detail' | 'text' | 'message' | 'nested' | 'list' | 'html';
  readonly grants: 'two-lists' | 'as-lists' | 'flat';
  readonly streamAuth: 'header' | 'subprotocol' | 'query';
  /** Messages of other types, frames that are no JSON and binary ones between the log lines. */
  readonly chatter: boolean;
  /** Largest page of logs, whatever the limit asks for. */
  readonly largestLogPage: number;
  /** Largest file content in a PUT and an upload, bytes. */
  readonly largestFile: number;
  /** Ms by which the service's clock is ahead of this machine's. */
  readonly clockAhead: number;
  /** Each running service writes a line this often (ms); 0 for only what the test appends. */
  readonly lineEvery: number;
}

export const foreignDefaults: ForeignOptions = {
  token: 'foreign-token-5b1f',
  wallet: 'cosmos1foreign',
  prefix: '/hosting/v9',
  envelope: 'bare',
  fieldCase: 'snake',
  sdl: 'listed',
  services: 'names',
  files: 'paths',
  content: 'raw',
  pathForm: 'whole',
  logOrder: 'oldest',
  logIds: 'holes',
  logLines: 'records',
  errors: 'detail',
  grants: 'two-lists',
  streamAuth: 'header',
  chatter: true,
  largestLogPage: 500,
  largestFile: 1024 * 1024,
  clockAhead: 0,
  lineEvery: 0,
};
