import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Masker } from '../../../source/store/incident/masker.ts';
import type { TextForm } from '../../../source/store/incident/secret-rules.ts';
import {
  bareCarriers,
  documentCarriers,
  furtherCarriers,
  hexOf,
  issuedForms,
  keyBodies,
  namedCarriers,
  passwords,
  plainPasswords,
  randomCarriers,
  randomValues,
} from './planted-secrets.ts';

/** Returns texts after both passes. */
function masked(
  texts: readonly string[],
  form: TextForm = 'line',
  own: readonly string[] = [],
): string[] {
  const masker = new Masker(own);
  for (const text of texts) masker.text(text, form);
  masker.seal();
  return texts.map((text) => masker.text(text, form));
}

/** Returns whether a text still holds a secret, as it is, in base 16, or behind a user in base64. */
function holds(text: string, secret: string): boolean {
  return [secret, hexOf(secret), btoa(`a:${secret}`)].some((form) => text.includes(form));
}

describe('the masker', () => {
  test.each([
    ['a password in a line', namedCarriers, plainPasswords, 'line'],
    ['a random value in a line', randomCarriers, randomValues, 'line'],
    ['a password in a document', documentCarriers, plainPasswords, 'document'],
    ['a secret in an encoding or in a command', furtherCarriers, plainPasswords, 'line'],
  ] as const)('hides %s', (_, carriers, secrets, form) => {
    const missed = carriers.flatMap((carrier) =>
      fc
        .sample(secrets, 5)
        .filter((secret) => holds(masked([carrier(secret)], form).join(), secret))
        .map(carrier),
    );
    expect(missed).toEqual([]);
  });

  test('hides each key that an issuer marks, in any place', () => {
    const missed = issuedForms.flatMap((form) =>
      fc
        .sample(fc.stringMatching(form), 5)
        .flatMap((secret) => bareCarriers.map((carrier) => [carrier(secret), secret] as const))
        .filter(([text, secret]) => masked([text]).join().includes(secret))
        .map(([text]) => text),
    );
    expect(missed).toEqual([]);
  });

  test.each([
    ['of a .netrc', 'machine db login app password correct-horse', 'was correct-horse then'],
    ['escaped in HTML', 'password="a<7&bc>Xyz"', 'was a&lt;7&amp;bc&gt;Xyz then'],
    ['escaped in JSON', `password='a"b7Xyz9'`, String.raw`was a\"b7Xyz9 then`],
    ['found escaped in JSON', String.raw`{"password":"a\"b7Xyz9"}`, 'was a"b7Xyz9 then'],
    ['found in a URL', 'GET /?token=a%22b7Xyz9', 'was a"b7Xyz9 then'],
    ['found in a header', `Authorization: Basic ${btoa('ann:a"b7Xyz9')}`, 'was a"b7Xyz9 then'],
  ])('hides, wherever it stands, a secret %s', (_, text, elsewhere) => {
    expect(masked([text, elsewhere])[1]).toMatch(/^was \[secret 1 \*+\] then$/);
  });

  test('hides the longest of several secrets, all of those that overlap, and short ones as words', () => {
    expect(
      masked([
        'password=abcdefgh1234 token=abcdefgh1234-5678 pwd=5678ijklmnop secret=Hunter2',
        'abcdefgh1234-5678, abcdefgh1234-5678ijklmnop, Hunter2, xHunter2x',
      ])[1],
    ).toBe('[secret 2 ****************], [secret 2 ****************], [secret 4 ****], xHunter2x');
  });

  test('hides a secret wherever it stands again', () => {
    expect(masked(['early Hunter2x9 use', 'password=Hunter2x9', '(Hunter2x9)'])).toEqual([
      'early [secret 1 ********] use',
      'password=[secret 1 ********]',
      '([secret 1 ********])',
    ]);
  });

  test('hides passwords with signs where they are quoted, escaped, encoded or in base64', () => {
    fc.assert(
      fc.property(passwords, (secret) => {
        const texts = masked([
          JSON.stringify({ password: secret }),
          JSON.stringify({ msg: JSON.stringify({ secret }) }),
          `PGPASSWORD='${secret}' psql`,
          `trying ${secret} again`,
          `https://db/?x=${encodeURIComponent(secret)}`,
          `data: ${Buffer.from(secret).toString('base64')}`,
        ]).join('\n');
        expect(texts).not.toContain(secret);
        expect(texts).not.toContain(encodeURIComponent(secret));
        expect(texts).not.toContain(Buffer.from(secret).toString('base64'));
      }),
    );
  });

  test('hides a private key in a document and in an escaped text', () => {
    fc.assert(
      fc.property(keyBodies, (body) => {
        const key = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'];
        const texts = [
          `tls:\n  ${key.join('\n  ')}\nport: 1`,
          JSON.stringify({ cert: key.join('\n') }),
        ];
        const shown = masked(texts, 'document').join('\n');
        for (const secret of body) expect(shown).not.toContain(secret);
        expect(shown).toContain('port: 1');
      }),
    );
  });

  test('hides the token of the profile wherever it stands', () => {
    expect(masked(['sent my-own-token-1 twice'], 'line', ['my-own-token-1'])).toEqual([
      'sent [secret 1 ********] twice',
    ]);
  });

  test('numbers secrets, so that equal ones are told from others, and shows the class of their length', () => {
    expect(
      masked([
        'password=hunter2 token=0123456789abcdef0123456789abcdef',
        'old_password=correct-horse password=hunter2',
      ]),
    ).toEqual([
      'password=[secret 1 ****] token=[secret 2 ********************************]',
      'old_password=[secret 3 ********] password=[secret 1 ****]',
    ]);
  });

  test('hides a value in JSON by the name of its field', () => {
    const masker = new Masker();
    const record = {
      env: [{ name: 'DB_PASSWORD', value: 'hunter2x' }],
      more: [{ key: 'api-key', value: 'changeme' }],
      token: 12_345_678,
      passwords: ['first-one', 'none'],
      'x hunter2x': [['it is hunter2x', 12_345_678]],
      port: 80,
      changeme: 'changeme',
    };
    masker.json(record);
    masker.seal();
    expect(masker.json(record)).toEqual({
      env: [{ name: 'DB_PASSWORD', value: '[secret 1 ********]' }],
      more: [{ key: 'api-key', value: '[secret 2 ********]' }],
      token: '[secret 3 ********]',
      passwords: ['[secret 4 ********]', 'none'],
      'x [secret 1 ********]': [['it is [secret 1 ********]', '[secret 3 ********]']],
      port: 80,
      // An ordinary word, which is masked only behind its name.
      changeme: 'changeme',
    });
    expect(masker.counts()).toEqual({ secrets: 4, places: 7 });
  });

  const harmless = [
    'deploying 9fceb02d0ae598e95dc970b74767f19372d61af8 of main',
    'request 123e4567-e89b-12d3-a456-426614174000 took 3 ms',
    'paid by 0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
    'paid by akash1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
    'image nginx@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'Basic authentication is on, Bearer realm="api"',
    'basic setup done',
    'max_tokens=512 tokens: 12 token_count=5 pass: 12 fail: 0, pass: 1200 fail: 3',
    'SyntaxError: Unexpected token: end of input',
    'Failed password for root from 10.0.0.1 port 22 ssh2',
    'Invalid password: must have eight characters',
    'password is required, see https://example.com:8080/a@b',
    'api_key=${API_KEY} secret=<none> token=null password=****',
    'started key=42 author=ann authored=yes keyboard: us monkey=2',
    'git@github.com:x/y.git and ssh://git@github.com/x/y',
    'const token = process.env.TOKEN',
    'closed the client which had sessionid 0x14ed93111f20057, sessionid: 0x14ed93111f20057',
    'Account sid=S-1-5-21-3623811015-3361044348-30300820-1013 logged on',
    '(CONNECT_DATA=(SID=ORCL)) session_id=12345 sid: 42',
    'signature: valid, signature=none, Signature: sha256WithRSAEncryption',
    'GET /callback?code=404&state=x, exit code=137',
    'password=<redacted> token=[FILTERED] secret=***, api_key: [secret]',
    'session_id=null &quot;port&quot;:&quot;8080&quot;',
  ];

  test('reads JSON that is nested without end', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(JSON.stringify(new Masker().json(deep))).toContain('[nested too deeply]');
  });

  test('leaves texts without secrets alone', () => {
    expect(harmless.map((text) => masked([text])[0])).toEqual(harmless);
  });

  test('never throws, masks alike each time, and masks no mask again', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ maxLength: 60 }),
            fc.constantFrom(...namedCarriers).map((at) => at('Pa55word12x')),
          ),
        ),
        (texts) => {
          const once = masked(texts);
          expect(masked(texts)).toEqual(once);
          expect(masked(once)).toEqual(once);
        },
      ),
    );
  });

  test.each([
    'password='.repeat(5000),
    'token=a b='.repeat(40_000),
    'https://a:'.repeat(5000),
    'cookie: a='.repeat(2000),
    `password: "${'\\'.repeat(20_000)}`,
  ])('takes time in proportion to a text', (text) => {
    // A quadratic search of one of these takes minutes, and outlasts the limit of a test.
    expect(masked([text], 'document')).toHaveLength(1);
  });
});
