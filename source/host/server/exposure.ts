import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartFailure } from '../start-failure.ts';

/** A certificate with its chain and the key to it, both PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** Where a host is reached from other machines. */
export interface Exposure {
  /** An address of this machine, or `0.0.0.0` or `::` for all of them. */
  readonly address: string;
  /** 0 for a free one; without one the usual port. */
  readonly port?: number | undefined;
  /** Without it, tokens and files pass in the clear. */
  readonly tls?: Tls | undefined;
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads a certificate and its key. Throws a {@link StartFailure} when they cannot be used. */
export function readTls(files: TlsFiles): Tls {
  const tls = { cert: readPem(files.cert), key: readPem(files.key) };
  try {
    createSecureContext(tls);
  } catch {
    throw new StartFailure(
      'unusable-tls',
      `${files.cert} and ${files.key} are no certificate and its key, or the key has a passphrase.`,
      'Name both as PEM, the key without a passphrase.',
    );
  }
  return tls;
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartFailure(
      'unusable-tls',
      `${file} cannot be read (${reason}).`,
      'Name a file in PEM that this user may read.',
    );
  }
}
