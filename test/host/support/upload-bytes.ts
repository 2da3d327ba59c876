import type { CallOptions } from './temporary-host.ts';

/** Returns an upload as bytes, since some invalid forms could not be sent as a form. */
export function uploadOf(files: Readonly<Record<string, string>>): CallOptions {
  const boundary = '----------------------------of-these-files';
  const parts = Object.entries(files).map(
    ([path, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${path}"\r\n` +
      `Content-Type: application/octet-stream\r\n\r\n${text}\r\n`,
  );
  return {
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
