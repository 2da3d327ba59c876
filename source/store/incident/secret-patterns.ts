/** Secrets that are recognised by their own form. */

import { issuedKeys } from './issued-keys.ts';

/** The ways in which a secret is recognised. */
export const secretRules = [
  'token of this profile',
  'private key',
  'authorization header',
  'password in a URL',
  'key of a cloud service',
  'JSON Web Token',
  'cookie',
  'signature in a URL',
  'command line',
  'secret name',
] as const;

export type SecretRule = (typeof secretRules)[number];

export interface SecretPattern {
  readonly rule: SecretRule;
  /** A global expression; its group `secret` is the secret, else the whole match is. */
  readonly pattern: RegExp;
}

const base64Url = '[A-Za-z0-9_-]';
const armour = String.raw`[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----`;

/** Begin and end of a private key that is written over several lines (RFC 7468). */
export const keyBegin = new RegExp(`-----BEGIN${armour}`);
export const keyEnd = new RegExp(`-----END${armour}`);

export const secretPatterns: readonly SecretPattern[] = [
  {
    rule: 'private key',
    pattern: new RegExp(String.raw`-----BEGIN${armour}[\s\S]*?(?:-----END${armour}|$)`, 'g'),
  },
  {
    rule: 'authorization header',
    pattern:
      /authorization(?:\\{0,4}["'`])?[ \t]{0,8}(?:=>|[:=])[ \t]{0,8}(?:\[(?!secret )[ \t]?)?(?:\\{0,4}["'`])?(?:(?:basic|bearer|token|digest|negotiate|apikey|ntlm)[ \t]{1,8})?(?<secret>[^\s"'`\\,;)\]}]{3,8192})/gi,
  },
  {
    rule: 'authorization header',
    pattern:
      /\bbearer[ \t]{1,8}(?<secret>(?=[\w.~+/-]*[\d._~+/-]|[\w.~+/-]{20})[\w.~+/-]{8,8192}={0,2})/gi,
  },
  {
    rule: 'authorization header',
    pattern: /\bbasic[ \t]{1,8}(?<secret>[A-Za-z0-9+/]{8,4096}={0,2})/gi,
  },
  {
    rule: 'password in a URL',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,256}:(?<secret>[^\s/"'<>]{1,512})@(?=[\w[.%-])/gi,
  },
  {
    rule: 'password in a URL',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?<secret>(?![\w.+-]*%40)(?=[\w.~%+-]*\d)[\w.~%+-]{16,512})@(?=[\w[])/gi,
  },
  {
    rule: 'key of a cloud service',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w+/-]{20,120})/g,
  },
  { rule: 'key of a cloud service', pattern: new RegExp(`(?<![A-Za-z0-9])(?:${issuedKeys})`, 'g') },
  {
    rule: 'JSON Web Token',
    pattern: new RegExp(
      String.raw`(?<![\w-])ey${base64Url}{10,16384}\.${base64Url}{4,65536}(?:\.${base64Url}{0,16384}){0,3}`,
      'g',
    ),
  },
  {
    rule: 'cookie',
    pattern:
      /\b(?:set-)?cookie(?:\\{0,4}["'`])?[ \t]{0,8}[:=][ \t]{0,8}(?:\\{0,4}["'`])?(?<secret>[\w.-]{1,100}=[^\r\n"'`\\]{1,8192})/gi,
  },
  {
    rule: 'password in a URL',
    pattern: /\b[\w.-]{1,100}:(?<secret>[^\s@:/"']{3,256})@(?=(?:tcp|udp|unix)\()/g,
  },
  {
    rule: 'key of a cloud service',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/(?<secret>[\w-]{20,120})/g,
  },
  {
    // The configuration of Docker's client holds user and password in base64.
    rule: 'authorization header',
    pattern:
      /\bauth(?:\\{0,4}")[ \t]{0,8}:[ \t]{0,8}(?:\\{0,4}")(?<secret>[A-Za-z0-9+/]{8,4096}={0,2})/g,
  },
  { rule: 'authorization header', pattern: /\bSignature=(?<secret>[0-9a-f]{64})/g },
  {
    rule: 'command line',
    pattern:
      /\bcurl\b[^\n]{0,300}?[ \t](?:-u|--(?:proxy-)?user)[ \t=]{1,8}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{1,256})/g,
  },
  {
    rule: 'command line',
    pattern: /\bmysql(?:dump|admin)?\b[^\n]{0,300}?[ \t]-p(?<secret>[^\s"']{3,256})/g,
  },
  {
    rule: 'command line',
    pattern:
      /\b(?:redis-cli\b[^\n]{0,300}?[ \t]-a|sshpass[ \t]{1,8}-p|docker[ \t]{1,8}login\b[^\n]{0,300}?[ \t]-p)[ \t]{1,8}["']?(?<secret>[^\s"']{3,256})/g,
  },
  {
    rule: 'secret name',
    pattern: /\bidentified[ \t]{1,8}by[ \t]{1,8}(?:password[ \t]{1,8})?'(?<secret>[^'\n]{1,256})/gi,
  },
  {
    // A file .netrc
    rule: 'secret name',
    pattern: /\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?<secret>\S{1,256})/g,
  },
  {
    // `password is aB3...` in a sentence, and `STRIPE_KEY=aB3...`, whose value tells that it is random.
    rule: 'secret name',
    pattern:
      /(?:(?:[Pp]assword|[Pp]assphrase|[Ss]ecret|[Tt]oken|(?:API|[Aa]pi|[Ss]ecret|[Aa]ccess) ?[Kk]ey)[ \t]{1,3}(?:(?:is|was)[ \t]{1,3})?|_KEY["']?[ \t]{0,3}[:=][ \t]{0,3})["']?(?<secret>(?=[\w.+/=~-]{0,200}\d)(?=[\w.+/=~-]{0,200}[a-z])(?=[\w.+/=~-]{0,200}[A-Z])[\w.+/=~-]{10,512})/g,
  },
  {
    rule: 'signature in a URL',
    pattern:
      /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)|awsaccesskeyid)=(?<secret>[^&\s"'`<>\\]{8,4096})/gi,
  },
];

/** Finds texts that may hold a secret, at the cost of one scan. */
export const mayHoldSecret =
  /pass|pwd|secret|token|key|cred|auth|bearer|basic|cookie|mnemonic|phrase|:\/\/|[?&]sig|ey[A-Za-z0-9_-]{10}|A3T|AKIA|ASIA|ABIA|ACCA|AIza|GOCSPX|ya29|LTAI|gh[oprsu]_|_pat_|gl[a-z]{1,4}[-_]|npm_|pypi-|xox|xapp|[sr]k[_-]|whsec|SG\.|shp|:AA|hf_|_v1_|hv[brs]\.|dapi|lin_|ntn_|sntrys|dp\.pt|r8_|pul_|hd_|hooks\.|curl|mysql|redis-cli|docker|identified|@(?:tcp|udp|unix)\(|_key|signature=|discord|\bpw|_pw|otp|sess/i;
