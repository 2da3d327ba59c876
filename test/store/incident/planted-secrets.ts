/** Secrets of all rules in the places where services write them. */
import * as fc from 'fast-check';

const mixed = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const word = (length: number, characters = mixed) =>
  fc.string({
    unit: fc.constantFrom(...characters.split('')),
    minLength: length,
    maxLength: length,
  });

const base64Url = `${mixed}-_`;

/** Passwords as people and generators make them; each has a letter and a digit. */
export const passwords = fc
  .tuple(word(4), word(6, `${mixed}!$%^*+=.~|@#?`), word(4), fc.constantFrom('7', '42', '!9', '.3'))
  .map((pieces) => pieces.join(''));

/** Passwords of letters of both cases and digits only, which every syntax takes without quotes. */
export const plainPasswords = fc
  .tuple(word(10), fc.constantFrom('7', '42'))
  .map(([middle, end]) => `aB${middle}${end}`);

/** Secrets that their own form gives away. */
export const issuedSecrets = fc.oneof(
  word(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567').map((text) => `AKIA${text}`),
  word(35, base64Url).map((text) => `AIza${text}`),
  word(36).map((text) => `ghp_${text}`),
  word(40).map((text) => `github_pat_${text}`),
  word(20, mixed).map((text) => `glpat-${text}`),
  word(24).map((text) => `xoxb-1234567890-${text}`),
  word(24).map((text) => `sk_live_${text}`),
  word(36).map((text) => `npm_${text}`),
  word(43, base64Url).map((text) => `hd_${text}`),
  word(48).map((text) => `sk-proj-${text}`),
  fc
    .tuple(word(24), word(30, base64Url), word(43))
    .map(([head, body, signature]) => `eyJ${head}.eyJ${body}.${signature}`),
);

/** Texts of a log around a password, in the forms that name it. */
export const namedCarriers: readonly ((secret: string) => string)[] = [
  (secret) => `connecting with DB_PASSWORD=${secret} to db`,
  (secret) => `level=info api_key="${secret}" msg=ok`,
  (secret) => `{"user":"ann","password":"${secret}","n":1}`,
  (secret) => JSON.stringify({ msg: JSON.stringify({ clientSecret: secret, n: 1 }) }),
  (secret) => `GET /login?user=ann&access_token=${secret}&next=1 200`,
  (secret) => `password: ${secret}`,
  (secret) => `secret_key => '${secret}',`,
  (secret) => `running psql --password ${secret} -h db`,
  (secret) => `running mysql --password=${secret} -h db`,
  (secret) => `<password>${secret}</password>`,
  (secret) => `Server=db;User Id=sa;Password=${secret};Encrypt=true`,
  (secret) => `\u001b[32mREDIS_PASSWORD\u001b[0m=\u001b[33m${secret}\u001b[0m`,
  (secret) => `AccountName=x;AccountKey=${secret};EndpointSuffix=core.windows.net`,
  (secret) => `postgres://app:${secret}@db.internal:5432/app?sslmode=require`,
  (secret) => `> Authorization: Bearer ${secret}`,
  (secret) => `authorization="Token ${secret}"`,
  (secret) => `proxy-authorization: Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`,
  (secret) => `Cookie: sid=${secret}; theme=dark`,
  (secret) => `https://x.blob.core.windows.net/c/f?sv=2&sig=${secret}&se=3`,
  (secret) => `{"Name":"DB_PASSWORD","Value":"${secret}"}`,
  (secret) => `{"headers":{"authorization":["Bearer ${secret}"]}}`,
  (secret) => `Config{User:bob Password:${secret} Host:db}`,
  (secret) => `{'password': '${secret}', 'port': 1}`,
  (secret) =>
    `{"auths":{"r.example.com":{"auth":"${Buffer.from(`a:${secret}`).toString('base64')}"}}}`,
  (secret) => `app:${secret}@tcp(db:3306)/app`,
  (secret) => `curl -sS -u admin:${secret} https://api.example.com`,
  (secret) => `mysqldump -uroot -p${secret} app`,
  (secret) => `redis-cli -h cache -a ${secret} ping`,
  (secret) => `docker login -u ci -p ${secret} r.example.com`,
  (secret) => `ALTER USER app IDENTIFIED BY '${secret}'`,
  (secret) => `machine db login app password ${secret}`,
  (secret) => `the new password is ${secret}`,
  (secret) => `PAYMENT_KEY=${secret}`,
  (secret) => `GET /login?next=%2Fcb%3Ftoken%3D${secret}%26x%3D1`,
  (secret) => `//registry.npmjs.org/:_authToken=${secret}`,
];

/** Texts around a secret that does not need its name. */
export const bareCarriers: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `using ${secret} now`,
  (secret) => `{"key":"${secret}"}`,
  (secret) => `(${secret}), next`,
  (secret) => `x=${secret}&y=1`,
];

/** Documents around a password: an SDL, a configuration, an environment. */
export const documentCarriers: readonly ((secret: string) => string)[] = [
  (secret) =>
    `services:\n  web:\n    image: x\n    env:\n      - DB_PASSWORD=${secret}\n      - A=1\n`,
  (secret) => `env:\n  - name: API_TOKEN\n    value: ${secret}\n  - name: A\n    value: b\n`,
  (secret) => `db:\n  password: ${secret} # keep\n  port: 5432\n`,
  (secret) => `db:\n  password: |\n    ${secret}\n  port: 5432\n`,
  (secret) => `{\n  "apiKey": "${secret}",\n  "port": 1\n}\n`,
  (secret) => `export SECRET_KEY_BASE='${secret}'\nPORT=1\n`,
  (secret) => `[db]\nclient_secret = ${secret}\n`,
];

/** The body of a private key, in lines of 64 characters. */
export const keyBodies = fc.array(word(64, `${mixed}+/`), { minLength: 3, maxLength: 12 });
