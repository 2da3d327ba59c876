/** The types of the client: one connection to a service, its operations and their results. */
import type { Deployment } from '../contract/deployments.ts';
import type { FileRecord } from '../contract/files.ts';
import type { Grant, GrantRequest } from '../contract/grants.ts';
import type { LogFrames, LogLine, LogQuery } from '../contract/logs.ts';
import type { Result, ServiceError } from './http/errors.ts';

/** A decoded record, with the fields that the decoder does not know, for the detail view. */
export interface DecodedRecord<T> {
  readonly value: T;
  /** Unrecognised fields of the record, as sent. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** Raw body of the answer; set only when the record was requested by its id. */
  readonly answer?: string;
}

/** The bytes of a file. `text` is set when they are UTF-8 text, and is the exact decoding. */
export interface FileBody {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  /**
   * `ambiguous` when a JSON answer could be the file or an envelope around it (open points, "File
   * content"), or when the service replaced bytes that are not UTF-8. The file then opens read-only
   * and the person is asked to confirm.
   */
  readonly certainty: 'certain' | 'ambiguous';
  readonly modifiedAt?: string | undefined;
}

/** A remote file that was written to the local disk. */
export interface SavedFile {
  /** Bytes. */
  readonly size: number;
  /** `ambiguous` as in {@link FileBody}; the answer was then written unchanged. */
  readonly certainty: FileBody['certainty'];
}

/** One part of an upload: a local file streamed from disk, or bytes in memory. */
export interface UploadPart {
  /** Path inside the service, sent as the part's filename. */
  readonly path: string;
  readonly source: { readonly file: string } | { readonly bytes: Uint8Array };
}

interface LogPage {
  readonly lines: readonly DecodedRecord<LogLine>[];
}

/** A message of the log stream: a log line, or a description of any other message. */
export type LogFrame =
  | { readonly kind: 'line'; readonly line: LogLine }
  | { readonly kind: 'other'; readonly description: string };

export interface LogStreamHandlers {
  /** The upgrade succeeded. */
  onOpen(): void;
  /** A batch of text messages in order of arrival: log lines and other messages. */
  onFrames(frames: LogFrames): void;
  /** A message that is not text. The caller counts it; it is never fatal. */
  onOtherMessage(kind: string): void;
  /** The last call, made once. `error` holds the reason, also for an orderly close. */
  onClose(error: ServiceError): void;
}

/** One connection to the log stream. The caller reconnects. */
export interface LogStream {
  /** Stops reading from the socket, so that TCP applies back pressure to the service. */
  pause(): void;
  resume(): void;
  /** Closes without a call to `onClose`. */
  close(): void;
}

export interface DeploymentsClient {
  list(signal?: AbortSignal): Promise<Result<readonly DecodedRecord<Deployment>[]>>;
  get(id: string, signal?: AbortSignal): Promise<Result<DecodedRecord<Deployment>>>;
  create(sdl: string): Promise<Result<DecodedRecord<Deployment>>>;
  close(id: string): Promise<Result<void>>;
  restart(id: string): Promise<Result<void>>;
}

export interface FilesClient {
  list(
    id: string,
    service: string,
    signal?: AbortSignal,
  ): Promise<Result<readonly DecodedRecord<FileRecord>[]>>;
  get(id: string, service: string, path: string, signal?: AbortSignal): Promise<Result<FileBody>>;
  /**
   * Streams a file of any size to `toFile`, whose folder must exist. Replaces `toFile` atomically: a
   * failure leaves it unchanged. `onProgress` receives the bytes so far and the announced total.
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
      /** Receives the bytes of file contents sent so far, counted over the parts in their order. */
      readonly onProgress?: (sentBytes: number) => void;
    },
  ): Promise<Result<void>>;
}

export interface LogsClient {
  fetch(id: string, query: LogQuery, signal?: AbortSignal): Promise<Result<LogPage>>;
  stream(id: string, handlers: LogStreamHandlers): LogStream;
  /** Decodes the message in `bytes` from `start` to `end`. */
  decode(bytes: Uint8Array, start: number, end: number): LogFrame;
}

export interface GrantsClient {
  list(signal?: AbortSignal): Promise<Result<readonly DecodedRecord<Grant>[]>>;
  create(request: GrantRequest): Promise<Result<DecodedRecord<Grant>>>;
  revoke(id: string): Promise<Result<void>>;
}

/** A connection to one service, with every operation of the contract. */
export interface Client {
  /** Host and port of the base URL, for messages. */
  readonly host: string;
  readonly deployments: DeploymentsClient;
  readonly files: FilesClient;
  readonly logs: LogsClient;
  readonly grants: GrantsClient;
  /** Clock of the service minus the local clock in ms, from `Date` headers; 0 before any answer. */
  clockOffset(): number;
  /** Closes pooled connections. Requests in flight fail with `aborted`. */
  close(): Promise<void>;
}
