import type { Deployment } from '../contract/deployments.ts';
import type { FileRecord } from '../contract/files.ts';
import type { Grant, GrantRequest } from '../contract/grants.ts';
import type { LogFrames, LogLine, LogQuery } from '../contract/logs.ts';
import type { Result, ServiceError } from './http/errors.ts';

/** A value as the service sent it: unknown fields are kept for the detail view. */
export interface Read<T> {
  readonly value: T;
  /** Fields of the record that were not recognised, as sent. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** The answer that it came in, as it came; only of one that was asked for alone. */
  readonly answer?: string;
}

/** The bytes of a file. `text` is set when they are UTF-8 text, and is the exact decoding. */
export interface FileBody {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  /**
   * `certain`, unless nothing decided whether a JSON answer is the file or an envelope around it
   * (open points, "File content"), or it is text of which bytes were replaced on the way: then the
   * file is shown read-only and the person is asked.
   */
  readonly reading: 'certain' | 'ambiguous';
  readonly modifiedAt?: string | undefined;
}

/** A file of a service that was written to this machine. */
export interface SavedFile {
  /** Bytes. */
  readonly size: number;
  /** `ambiguous` as for {@link FileBody}: then the answer was written as it came. */
  readonly reading: FileBody['reading'];
}

/** One part of an upload: a local file streamed from disk, or bytes at hand. */
export interface UploadPart {
  /** Path inside the service, kept as the part's filename. */
  readonly path: string;
  readonly source: { readonly file: string } | { readonly bytes: Uint8Array };
}

interface LogPage {
  readonly lines: readonly Read<LogLine>[];
}

/** A message of the stream: a log line, or the kind of message it is instead. */
export type LogFrame =
  | { readonly kind: 'line'; readonly line: LogLine }
  | { readonly kind: 'other'; readonly what: string };

export interface LogStreamHandlers {
  /** The upgrade succeeded. */
  onOpen(): void;
  /** Messages as they came, together: log lines, and whatever else they may be. */
  onFrames(frames: LogFrames): void;
  /** A message that is no text: counted by the caller, never fatal. */
  onOther(kind: string): void;
  /** Called once; after it nothing else is. `error` says why, also for an orderly close. */
  onClose(error: ServiceError): void;
}

/** One connection to the log stream. Reconnecting is the caller's. */
export interface LogStream {
  /** Stops reading from the socket, so that TCP pushes back on the service. */
  pause(): void;
  resume(): void;
  /** Closes without a call to `onClose`. */
  close(): void;
}

export interface DeploymentsClient {
  list(signal?: AbortSignal): Promise<Result<readonly Read<Deployment>[]>>;
  get(id: string, signal?: AbortSignal): Promise<Result<Read<Deployment>>>;
  create(sdl: string): Promise<Result<Read<Deployment>>>;
  close(id: string): Promise<Result<void>>;
  restart(id: string): Promise<Result<void>>;
}

export interface FilesClient {
  list(
    id: string,
    service: string,
    signal?: AbortSignal,
  ): Promise<Result<readonly Read<FileRecord>[]>>;
  get(id: string, service: string, path: string, signal?: AbortSignal): Promise<Result<FileBody>>;
  /**
   * Streams a file of any size to `toFile`, whose folder exists. It is replaced as a whole; after a
   * failure nothing is changed. `onProgress` is told the bytes received, and in all where announced.
   */
  save(
    id: string,
    service: string,
    path: string,
    toFile: string,
    options?: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (received: number, total: number | undefined) => void;
    },
  ): Promise<Result<SavedFile>>;
  update(id: string, service: string, path: string, content: string): Promise<Result<void>>;
  rename(id: string, service: string, oldPath: string, newPath: string): Promise<Result<void>>;
  delete(id: string, service: string, path: string): Promise<Result<void>>;
  upload(
    id: string,
    service: string,
    parts: readonly UploadPart[],
    options?: {
      readonly signal?: AbortSignal;
      /** Told the bytes of contents sent so far, those of the parts in their order. */
      readonly onProgress?: (sentBytes: number) => void;
    },
  ): Promise<Result<void>>;
}

export interface LogsClient {
  fetch(id: string, query: LogQuery, signal?: AbortSignal): Promise<Result<LogPage>>;
  stream(id: string, handlers: LogStreamHandlers): LogStream;
  /** Reads the message that stands in `bytes` from `start` to `end`. */
  decode(bytes: Uint8Array, start: number, end: number): LogFrame;
}

export interface GrantsClient {
  list(signal?: AbortSignal): Promise<Result<readonly Read<Grant>[]>>;
  create(request: GrantRequest): Promise<Result<Read<Grant>>>;
  revoke(id: string): Promise<Result<void>>;
}

/** A connection to one service: everything the console can ask of it. */
export interface Client {
  /** Host and port of the base URL, for messages. */
  readonly host: string;
  readonly deployments: DeploymentsClient;
  readonly files: FilesClient;
  readonly logs: LogsClient;
  readonly grants: GrantsClient;
  /** Clock of the service minus ours in ms, from the `Date` header of the last answer; 0 before. */
  clockOffset(): number;
  /** Ends pooled connections. Requests in flight fail as `aborted`. */
  close(): Promise<void>;
}
