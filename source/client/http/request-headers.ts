import { Readable } from 'node:stream';
import { splitChunks } from './chunks.ts';
import type { Upload } from '../upload.ts';

/** The body of a request and the accepted form of its answer. */
export interface RequestContent {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart/form-data. */
  readonly upload?: Upload;
  /** True to accept a file as raw bytes instead of JSON. */
  readonly acceptsBytes?: boolean;
}

/** Builds headers and body of a request; the answer may have one of the accepted content codings. */
export function buildRequestContent(
  { json, upload, acceptsBytes }: RequestContent,
  token: string,
  acceptedCodings: string,
) {
  const headers = {
    authorization: `Bearer ${token}`,
    accept:
      acceptsBytes === true ? 'application/octet-stream, */*;q=0.5' : 'application/json, */*;q=0.5',
    'accept-encoding': acceptedCodings,
    'user-agent': 'hostdeck',
  };
  if (upload !== undefined) {
    const { contentType, length } = upload;
    return {
      headers: { ...headers, 'content-type': contentType, 'content-length': String(length) },
      body: upload.openBody(),
    };
  }
  if (json === undefined) return { headers, body: null };
  const text = Buffer.from(JSON.stringify(json));
  return {
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(text.length),
    },
    body: Readable.from(splitChunks(text), { objectMode: false }),
  };
}
