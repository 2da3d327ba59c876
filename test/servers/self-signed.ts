import { generateKeyPairSync, sign } from 'node:crypto';

/** An untrusted certificate and its key, both PEM. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate for `localhost` and `service.test` (RFC 5280), to keep keys out of the repository. */
export function selfSigned(): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const name = sequence(
    set(sequence(oid([0x55, 0x04, 0x03]), der(0x0c, Buffer.from('localhost')))),
  );
  const validity = sequence(time('20200101000000Z'), time('20990101000000Z'));
  const names = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x82, Buffer.from('service.test')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = sequence(sequence(oid([0x55, 0x1d, 0x11]), der(0x04, names)));
  const unsigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', unsigned, privateKey);
  const certificate = sequence(unsigned, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

/** Encodes a DER element: tag, length, contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function set(...contents: readonly Buffer[]): Buffer {
  return der(0x31, ...contents);
}

function oid(bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]));
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}
