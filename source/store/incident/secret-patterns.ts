/** Secrets that are recognised by their own form. */

import { issuedKeys } from './issued-keys.ts';
import { secretNameEnd } from './secret-names.ts';

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
  'signature',
  'session',
  'command line',
  'secret name',
] as const;

export type SecretRule = (typeof secretRules)[number];

export interface SecretPattern {
  readonly rule: SecretRule;
  /** A global expression; its group `secret` is the secret, else the whole match is. */
  readonly pattern: RegExp;
}

/** A quote that may stand around a name or a value. */
const quote = String.raw`(?:\\{0,4}["'\x60]|&(?:quot|#34);)?`;
const assigned = String.raw`${quote}[ \t]{0,8}(?:=>|[:=]|%3[ad])[ \t]{0,8}${quote}`;

/** A value that looks random: of letters and digits, no number in base 16 and no identifier of Windows. */
const random = String.raw`(?!0x|S-1-|(?:rsa|ecdsa|hmac|sha\d|md5)[\w-]{0,40}\b(?![+/=]))(?=[\w.+/%~-]{0,200}\d)(?=[\w.+/%~-]{0,200}[a-z])[\w.+/%~-]{16,2048}={0,2}`;

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
  {
    rule: 'authorization header',
    pattern: /\bdigest\b[^\n]{0,600}?\bresponse=["']?(?<secret>[0-9a-f]{32,64})/gi,
  },
  {
    rule: 'signature',
    pattern: new RegExp(
      String.raw`signature(?:-?(?:sha-?)?(?:1|256|512))?${assigned}(?:sha\d{1,3}[=:])?(?<secret>${random})`,
      'gi',
    ),
  },
  {
    rule: 'session',
    pattern: new RegExp(
      String.raw`(?:session[_.-]?id|(?<![a-z\d])s(?:ess)?[_-]?id)${assigned}(?<secret>${random})`,
      'gi',
    ),
  },
  {
    rule: 'private key',
    pattern: new RegExp(
      String.raw`private[_-]?key[_-]?id${assigned}(?<secret>[\w+/=-]{16,200})`,
      'gi',
    ),
  },
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
    rule: 'command line',
    pattern:
      /(?<![\w-])(?:sqlplus\b[^\n]{0,300}?[ \t][\w$#]{1,100}\/|jdbc:oracle:\w{1,10}:[\w$#]{1,100}\/|ldap\w{1,10}\b[^\n]{0,300}?[ \t]-w[ \t]{1,8}["']?|--from-literal[= ][\w.-]{1,100}=)(?<secret>[^\s@"'/]{3,256})/g,
  },
  {
    // `<param name="db.password">x</param>`
    rule: 'secret name',
    pattern: new RegExp(
      String.raw`\b(?:name|key)=["'][\w.-]{0,100}?${secretNameEnd}["'][^<>\n]{0,200}>(?:\s{0,40}<value>)?(?<secret>[^<>\n]{1,1024})(?=<\/)`,
      'gi',
    ),
  },
  {
    // `variable "db_password" { default = "x" }` of Terraform
    rule: 'secret name',
    pattern: new RegExp(
      String.raw`["'][\w.-]{0,100}?${secretNameEnd}["']\s{0,8}\{[^{}]{0,600}?\b(?:default|value)\s{0,40}=\s{0,8}"(?<secret>[^"\n]{1,1024})`,
      'gi',
    ),
  },
  {
    rule: 'secret name',
    pattern: /\bpassword\(\s{0,4}'(?<secret>[^'\n]{1,256})/gi,
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
      /[?&](?:sig|signature|hmac|saml(?:response|request|art)|(?:client_)?assertion|code_verifier|x-(?:amz|goog)-(?:signature|credential|security-token)|awsaccesskeyid)=(?<secret>[^&\s"'`<>\\]{8,4096})/gi,
  },
  {
    // The code of OAuth, which a client exchanges for a token.
    rule: 'signature in a URL',
    pattern: new RegExp(String.raw`[?&]code=(?<secret>${random})`, 'gi'),
  },
];

/** Finds texts that may hold a secret, at the cost of one scan. */
export const mayHoldSecret =
  /pass|pwd|secret|token|key|cred|auth|bearer|basic|cookie|mnemonic|phrase|:\/\/|[?&](?:sig|code|hmac|saml|assertion)|ey[A-Za-z0-9_-]{10}|A3T|AKIA|ASIA|ABIA|ACCA|AIza|GOCSPX|ya29|LTAI|gh[oprsu]_|_[op]at_|gl[a-z]{1,4}[-_]|npm_|pypi-|xox|xapp|[sr]k[_-]|whsec|SG\.|shp|:AA|hf_|_v1_|hv[brs]\.|dapi|lin_|ntn_|sntrys|dp\.pt|r8_|pul_|hd_|hooks\.|curl|mysql|redis-cli|docker|identified|@(?:tcp|udp|unix)\(|_key|signature|discord|\bpw|_pw|otp|sess|s_?id["'=:%]|jdbc:|sqlplus|ldap|-literal|kennwort|contrase|senha|\$[\w-]{1,15}\$|[0-9a-f]-us\d|sk[0-9a-f]{4}|sq0|nrak|rubygems|fig[dur]_|oy2|sb[ps]_|q~|pmak|pscale|bkua|tskey|nfp_|akcp|atlasv1|at[ac]tt|ccipat|ez[at]k|flwseck|pplx-|xai-/i;
