/**
 * Secrets that are recognised by their own form. The prefixes are those that their issuers document, as the
 * rules of gitleaks and detect-secrets use them.
 */

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
  'secret name',
] as const;

export type SecretRule = (typeof secretRules)[number];

export interface SecretPattern {
  readonly rule: SecretRule;
  /** A global expression; its group `secret` is the secret, else the whole match is. */
  readonly pattern: RegExp;
}

const issued = [
  // AWS, Google, Alibaba
  String.raw`(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`AIza[\w-]{35}`,
  String.raw`GOCSPX-[\w-]{20,64}`,
  String.raw`ya29\.[\w-]{20,2048}`,
  'LTAI[A-Za-z0-9]{20}',
  // Code and packages
  'gh[oprsu]_[A-Za-z0-9]{30,255}',
  String.raw`github_pat_\w{22,255}`,
  String.raw`gl(?:pat|ptt|dt|rt|cbt|soat)-[\w.-]{20,300}`,
  'npm_[A-Za-z0-9]{36}',
  String.raw`pypi-AgE[\w-]{50,1000}`,
  String.raw`dckr_(?:pat|oat)_[\w-]{20,64}`,
  // Messages and payment
  String.raw`xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,300}`,
  'xapp-[A-Za-z0-9-]{10,300}',
  '(?:sk|rk)_(?:test|live|prod)_[A-Za-z0-9]{10,255}',
  'whsec_[A-Za-z0-9+/=]{20,100}',
  String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`,
  'key-[0-9a-f]{32}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  String.raw`\d{8,10}:AA[\w-]{33}`,
  // Models and clouds
  String.raw`sk-(?:proj-|ant-|svcacct-|admin-|or-)?[\w-]{20,255}`,
  'hf_[A-Za-z]{34}',
  'do[opr]_v1_[a-f0-9]{64}',
  String.raw`hv[brs]\.[\w-]{20,300}`,
  'dapi[a-f0-9]{32}',
  String.raw`gl(?:c|sa)_[\w+/=-]{32,400}`,
  String.raw`(?:lin_api|ntn|sntrys|dp\.pt|r8|pul)_[\w.=-]{30,300}`,
  'AGE-SECRET-KEY-1[A-Z0-9]{58}',
  // hostdeck
  String.raw`hd_[\w-]{43}`,
].join('|');

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
  { rule: 'key of a cloud service', pattern: new RegExp(`(?<![A-Za-z0-9])(?:${issued})`, 'g') },
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
    rule: 'signature in a URL',
    pattern:
      /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)|awsaccesskeyid)=(?<secret>[^&\s"'`<>\\]{8,4096})/gi,
  },
];

/** Finds texts that may hold a secret, at the cost of one scan. */
export const mayHoldSecret =
  /pass|pwd|secret|token|key|cred|auth|bearer|basic|cookie|mnemonic|phrase|:\/\/|[?&]sig|ey[A-Za-z0-9_-]{10}|A3T|AKIA|ASIA|ABIA|ACCA|AIza|GOCSPX|ya29|LTAI|gh[oprsu]_|_pat_|gl[a-z]{1,4}[-_]|npm_|pypi-|xox|xapp|[sr]k[_-]|whsec|SG\.|shp|:AA|hf_|_v1_|hv[brs]\.|dapi|lin_|ntn_|sntrys|dp\.pt|r8_|pul_|hd_|hooks\./i;
