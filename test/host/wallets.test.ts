import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlSocketPath } from '../../source/host/control/control-path.ts';
import { parseBalance, parseWalletAddress } from '../../source/host/money/wallets.ts';
import { Refusal } from '../../source/host/refusal.ts';
import { sharedHost } from './support/shared-host.ts';
import { codePoint } from '../support/code-point.ts';

const service = sharedHost();

/** Sends a request to the control socket. Returns the response. */
async function send(request: unknown): Promise<Readonly<Record<string, unknown>>> {
  const socket = connect(controlSocketPath(service.dataDir));
  const lines = createInterface({ input: socket });
  socket.write(`${JSON.stringify(request)}\n`);
  const [line] = (await once(lines, 'line')) as [string];
  socket.destroy();
  return JSON.parse(line) as Readonly<Record<string, unknown>>;
}

const invalidValues: readonly unknown[] = [
  '',
  ' ',
  'has blanks',
  ' 0xabc',
  '0xabc\n',
  '0x\u0000abc',
  '\u001b[31mred',
  'größe',
  'а1', // Cyrillic
  '\ud800',
  '--wallet',
  '-x',
  '../../etc/passwd',
  '<script>',
  '"quoted"',
  'a?b=c',
  'x'.repeat(129),
  5,
  true,
  null,
  undefined,
  [],
  {},
];

describe('a wallet address', () => {
  it.each([
    'a',
    'alice',
    '0xowner',
    '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'akash1vz375dkt0c60annyp6mkzeejfq0qpyevhseu05',
    'cosmos1tail',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
    'eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb',
    'name.eth',
    'team.near',
    'someone@example.com',
    'x'.repeat(128),
  ])('may be %s', async (address) => {
    expect(parseWalletAddress(address, 'wallet')).toBe(address);
    expect(await send({ op: 'token', wallet: address })).toEqual({
      ok: true,
      value: expect.stringMatching(/^hd_/),
    });
  });

  it.each(invalidValues.map((value) => [JSON.stringify(value), value]))(
    'is not accepted: %s',
    async (_, wallet) => {
      const refused = {
        ok: false,
        message: expect.stringMatching(/^wallet: expected a wallet address: 1 to 128 letters/),
      };
      expect(await send({ op: 'token', wallet })).toEqual(refused);
      expect(await send({ op: 'wallet', wallet })).toEqual(refused);
      expect(await send({ op: 'wallet', wallet, balance: '5' })).toEqual(refused);
    },
  );

  it('contains only characters that are safe in terminals and shells', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (text) => {
        try {
          expect(parseWalletAddress(text, 'wallet')).toMatch(/^[\x21-\x7e]{1,128}$/);
          expect(text).not.toMatch(/^-|[\s"'`$<>&;|\\]/);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }),
    );
  });
});

it.each(['much', '', '-1', '1e-19', '9'.repeat(101), 5, null, {}])(
  'a balance of %j is refused',
  async (balance) => {
    expect(() => parseBalance(balance)).toThrow(/^balance: expected a number/);
    expect(await send({ op: 'wallet', wallet: '0xabc', balance })).toEqual({
      ok: false,
      message: expect.stringMatching(/^balance: expected a number/),
    });
  },
);
