/** The table of secrets, and the search for them in one text. */
import {
  isPlaceholder,
  namedInDocument,
  namedInLine,
  quote,
  secretName,
  trimmedValue,
} from './named-secrets.ts';

/** The syntax of a text: a line of a log, or a document such as a configuration file. */
export type TextForm = 'line' | 'document';

/**
 * Keys and tokens whose issuers give them a form of their own, so that scanners find them: the forms of the
 * issuers' documents, as gitleaks and detect-secrets use them.
 */
const issuedKeys = [
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
  // Further services
  String.raw`[0-9a-f]{32}-us\d{1,2}\b`,
  'SK[0-9a-f]{32}(?![0-9A-Za-z])',
  String.raw`sq0(?:atp|csp)-[\w-]{22,43}`,
  String.raw`NRAK-[A-Z0-9]{27}`,
  'rubygems_[0-9a-f]{48}',
  'oy2[a-z0-9]{43}',
  String.raw`fig[dur]_[\w-]{30,100}`,
  String.raw`(?:gsk|nfp|bkua)_\w{40,60}`,
  String.raw`(?:pplx|xai)-\w{40,100}`,
  String.raw`sb(?:[ps]_[0-9a-f]{40}|_secret_[\w-]{20,60})`,
  String.raw`\w{3}\dQ~[\w.~-]{31,34}`,
  'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  String.raw`pscale_(?:tkn|oauth|pw)_[\w.=-]{32,64}`,
  String.raw`tskey-[a-z]{2,12}-[\w-]{10,100}`,
  'AKCp[A-Za-z0-9]{60,80}',
  String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}`,
  String.raw`AT[AC]TT3[\w=-]{50,300}`,
  String.raw`CCIPAT_\w{10,40}_[0-9a-f]{40}`,
  'EZ[AT]K[a-z0-9]{54}',
  String.raw`FLWSECK(?:_TEST)?-[\w-]{12,60}`,
  String.raw`access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`,
  // Hashes of passwords: bcrypt, crypt, argon2, scrypt
  String.raw`\$(?:2[abxy]?|[1567]|y|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,12})\$[\w./$=,+-]{20,400}`,
  // hostdeck
  String.raw`hd_[\w-]{43}`,
].join('|');

/** A value that looks random: of letters and digits, no number in base 16 and no identifier of Windows. */
const random = String.raw`(?<secret>(?!0x|S-1-|(?:rsa|ecdsa|hmac|sha\d|md5)[\w-]{0,40}\b(?![+/=]))(?=[\w.+/%~-]{0,200}\d)(?=[\w.+/%~-]{0,200}[a-z])[\w.+/%~-]{16,2048}={0,2})`;
const assigned = String.raw`${quote}?[ \t]{0,8}(?:=>|[:=]|%3[ad])[ \t]{0,8}${quote}?`;
const armour = String.raw`[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----`;

/** A text in which a private key begins and does not end. */
export const openKey = new RegExp(`-----BEGIN${armour}(?![\\s\\S]*-----END${armour})`);

/**
 * The table: global expressions, whose group `secret` ends the match; without one, the whole match is the secret.
 * Each takes time in proportion to its text, because lines are hostile. High entropy alone is no rule: commits,
 * digests, UUIDs and wallet addresses have it too.
 */
const secretPatterns: readonly RegExp[] = [
  // Private keys (RFC 7468, OpenPGP); the id of the key is that of Google's service accounts.
  new RegExp(String.raw`-----BEGIN${armour}[\s\S]*?(?:-----END${armour}|$)`, 'g'),
  expression(String.raw`private[_-]?key[_-]?id${assigned}(?<secret>[\w+/=-]{16,200})`),
  // Headers with a token or a digest (RFC 9110, RFC 6750, RFC 7616)
  /authorization(?:\\{0,4}["'`])?[ \t]{0,8}(?:=>|[:=])[ \t]{0,8}(?:\[(?!secret )[ \t]?)?(?:\\{0,4}["'`])?(?:(?:basic|bearer|token|digest|negotiate|apikey|ntlm)[ \t]{1,8})?(?<secret>[^\s"'`\\,;)\]}]{3,8192})/gi,
  /\bbearer[ \t]{1,8}(?<secret>(?=[\w.~+/-]*[\d._~+/-]|[\w.~+/-]{20})[\w.~+/-]{8,8192}={0,2})/gi,
  /\bdigest\b[^\n]{0,600}?\bresponse=["']?(?<secret>[0-9a-f]{32,64})/gi,
  // Passwords in URLs (RFC 3986, section 3.2.1), tokens in place of the user, source names of Go's MySQL
  /:\/\/(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@"'<>]{0,256}:(?<secret>[^\s/"'<>]{1,512})(?=@[\w[.%-])/gi,
  /:\/\/(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)(?<secret>(?![\w.+-]*%40)(?=[\w.~%+-]*\d)[\w.~%+-]{16,512})(?=@[\w[])/gi,
  /:(?<=[\w.-]:)(?<secret>[^\s@:/"']{3,256})(?=@(?:tcp|udp|unix)\()/g,
  // Issued keys, and webhooks
  new RegExp(`(?<![A-Za-z0-9])(?:${issuedKeys})`, 'g'),
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks\/\d{1,30})\/(?<secret>[\w+/-]{20,120})/g,
  // JSON Web Tokens (RFC 7519)
  /(?<![\w-])ey[\w-]{10,16384}\.[\w-]{4,65536}(?:\.[\w-]{0,16384}){0,3}/g,
  // Cookies (RFC 6265)
  /\b(?:set-)?cookie(?:\\{0,4}["'`])?[ \t]{0,8}[:=][ \t]{0,8}(?:\\{0,4}["'`])?(?<secret>[\w.-]{1,100}=[^\r\n"'`\\]{1,8192})/gi,
  // Ids of sessions
  expression(`(?:session[_.-]?id|(?<![a-z\\d])s(?:ess)?[_-]?id)${assigned}${random}`),
  // Signatures of requests, the queries of clouds and SAML, and the code of OAuth (RFC 6749, section 4.1)
  expression(
    String.raw`signature(?:-?(?:sha-?)?(?:1|256|512))?${assigned}(?:sha\d{1,3}[=:])?${random}`,
  ),
  /[?&](?:sig|signature|hmac|saml(?:response|request|art)|(?:client_)?assertion|code_verifier|x-(?:amz|goog)-(?:signature|credential|security-token)|awsaccesskeyid)=(?<secret>[^&\s"'`<>\\]{8,4096})/gi,
  expression(`[?&]code=${random}`),
  // Passwords in commands
  /\bcurl\b[^\n]{0,300}?[ \t](?:-u|--(?:proxy-)?user)[ \t=]{1,8}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{1,256})/g,
  /\bmysql(?:dump|admin)?\b[^\n]{0,300}?[ \t]-p(?<secret>[^\s"']{3,256})/g,
  /\b(?:redis-cli\b[^\n]{0,300}?[ \t]-a|sshpass[ \t]{1,8}-p|docker[ \t]{1,8}login\b[^\n]{0,300}?[ \t]-p)[ \t]{1,8}["']?(?<secret>[^\s"']{3,256})/g,
  /(?<![\w-])(?:sqlplus\b[^\n]{0,300}?[ \t][\w$#]{1,100}\/|jdbc:oracle:\w{1,10}:[\w$#]{1,100}\/|ldap\w{1,10}\b[^\n]{0,300}?[ \t]-w[ \t]{1,8}["']?|--from-literal[= ][\w.-]{1,100}=)(?<secret>[^\s@"'/]{3,256})/g,
  // Values of names in XML, also escaped for HTML; of variables of Terraform
  expression(
    String.raw`${secretName}(?:(?:["'][^<>\n]{0,200})?>(?:\s{0,40}<value>)?(?<secret>[^<>\n]{1,1024})(?=<\/)|&gt;(?<secret>[^&\n]{1,1024})(?=&lt;\/))`,
  ),
  expression(
    String.raw`["'][\w.-]{0,100}?${secretName}["']\s{0,8}\{[^{}]{0,600}?\b(?:default|value)\s{0,40}=\s{0,8}"(?<secret>[^"\n]{1,1024})`,
  ),
  // SQL, and a file .netrc
  /\bpassword\(\s{0,4}'(?<secret>[^'\n]{1,256})/gi,
  /\bidentified[ \t]{1,8}by[ \t]{1,8}(?:password[ \t]{1,8})?'(?<secret>[^'\n]{1,256})/gi,
  /\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?<secret>\S{1,256})/g,
  // `password is aB3...` in a sentence, and `STRIPE_KEY=aB3...`, whose value tells that it is random.
  /(?:(?:[Pp]assword|[Pp]assphrase|[Ss]ecret|[Tt]oken|(?:API|[Aa]pi|[Ss]ecret|[Aa]ccess) ?[Kk]ey)[ \t]{1,3}(?:(?:is|was)[ \t]{1,3})?|_KEY["']?[ \t]{0,3}[:=][ \t]{0,3})["']?(?<secret>(?=[\w.+/=~-]{0,200}\d)(?=[\w.+/=~-]{0,200}[a-z])(?=[\w.+/=~-]{0,200}[A-Z])[\w.+/=~-]{10,512})/g,
];

/** User and password in base64 behind `Basic` (RFC 7617), and in the configuration of Docker's client. */
const pairPatterns: readonly RegExp[] = [
  /\bbasic[ \t]{1,8}(?<secret>[A-Za-z0-9+/]{8,4096}={0,2})/gi,
  /\bauth(?:\\{0,4}")[ \t]{0,8}:[ \t]{0,8}(?:\\{0,4}")(?<secret>[A-Za-z0-9+/]{8,4096}={0,2})/g,
];

function expression(source: string): RegExp {
  return new RegExp(source, 'gi');
}

/** A secret in a text, from `start` to `end`. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
}

/** Returns the secrets of a text, in any order; they may overlap. */
export function findSecrets(text: string, form: TextForm): readonly FoundSecret[] {
  return [
    ...matches(text, secretPatterns, (secret) => secret),
    ...matches(text, pairPatterns, (secret) => (decodedText(secret)?.includes(':') ? secret : '')),
    ...matches(text, form === 'line' ? namedInLine : namedInDocument, trimmedValue),
  ];
}

/** Characters of a value in which no other name is looked for: a line of names would take forever. */
const longValue = 512;

/** @param trim returns a secret without what its expression took too much; empty where it is none. */
function* matches(
  text: string,
  patterns: readonly RegExp[],
  trim: (secret: string, match: RegExpExecArray) => string,
): Generator<FoundSecret> {
  for (const pattern of patterns) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const whole = match.groups?.['secret'] ?? match[0];
      const start = pattern.lastIndex - whole.length;
      const secret = trim(whole, match);
      const end = start + secret.length;
      if (!isPlaceholder(secret)) {
        // The part that was taken too much may hold another secret.
        pattern.lastIndex = end;
        yield { start, end };
      } else if (whole.length < longValue) pattern.lastIndex = Math.max(start, match.index + 1);
    }
  }
}

/** Returns the printable text that base64 stands for; undefined where it stands for none. */
export function decodedText(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(base64)) return undefined;
  const text = Buffer.from(base64, 'base64').toString('utf8');
  return /^[^\p{Cc}\ufffd]+$/u.test(text) ? text : undefined;
}
