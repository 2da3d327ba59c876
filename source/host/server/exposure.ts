import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartFailure } from '../start-failure.ts';

/** A certificate chain and its private key, both in PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The address at which other machines reach a host. */
export interface Exposure {
  /** An address of this machine, or `0.0.0.0` or `::` for all its addresses. */
  readonly address: string;
  /** Port number, 0 for a free port; the default port when absent. */
  readonly port?: number | undefined;
  /** When absent, tokens and files are sent unencrypted. */
  readonly tls?: TlsCertificate | undefined;
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads a certificate and its key. Throws a {@link StartFailure} when they are unusable. */
export function loadTlsCertificate(files: TlsFiles): TlsCertificate {
  const tls = { cert: readPem(files.cert), key: readPem(files.key) };
  try {
    createSecureContext(tls);
  } catch {
    throw new StartFailure(
      'unusable-tls',
      `${files.cert} and ${files.key} are not a certificate and its key, or the key has a passphrase.`,
      'Both must be PEM files, the key without a passphrase.',
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
      'Name a PEM file that this user can read.',
    );
  }
}
