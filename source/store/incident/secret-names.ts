/** Names of settings whose values are secrets, such as `DB_PASSWORD`, `apiKey` or `refresh_token`. */

const keyKinds =
  'api|access|private|signing|encryption|encrypt|master|auth|account|shared|storage|service|secret|' +
  'client|licen[cs]e|deploy|session|consumer|app|admin|ssh|webhook';

const nameEnd = [
  'pass(?:words?|wd|w|phrase|code)',
  String.raw`(?:[_-]|(?<![a-z]))(?:db|user|my)?pass`,
  'pwd',
  String.raw`(?:[_-]|(?<![a-z]))pw`,
  String.raw`(?:[_-]|(?<![a-z]))t?otp`,
  'passwort|kennwort|contrase[nñ]a|senha',
  'secrets?',
  String.raw`(?:secret[_.-]?)?(?:${keyKinds})[ _.-]?key(?:[_.-]?base)?`,
  'token',
  'shared[_-]?access[_-]?signature',
  'jsessionid',
  'phpsessid',
  'credentials?',
  'creds',
  'mnemonic',
  'seed[_-]?phrase',
].join('|');

const suffix = String.raw`(?:[_-]?(?:value|text|hash|raw|base64|b64|old|new|prod|\d{1,3}))?`;

/** Source of a regular expression, to be used with the flag `i`, for the end of a secret's name. */
export const secretNameEnd = `(?:${nameEnd})${suffix}`;

const wholeName = new RegExp(`${secretNameEnd}$`, 'i');

/** Returns whether the value of a setting or field with this name is a secret. */
export function isSecretName(name: string): boolean {
  return name.length <= 200 && wholeName.test(name);
}
