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
  word(32, '0123456789abcdef').map((text) => `${text}-us14`),
  word(32, '0123456789abcdef').map((text) => `SK${text}`),
  word(22, base64Url).map((text) => `sq0atp-${text}`),
  word(27, 'ABCDEFGHJKMNPQRSTVWXYZ0123456789').map((text) => `NRAK-${text}`),
  word(48, '0123456789abcdef').map((text) => `rubygems_${text}`),
  word(40).map((text) => `figd_${text}`),
  word(52).map((text) => `gsk_${text}`),
  word(43, 'abcdefghijklmnopqrstuvwxyz234567').map((text) => `oy2${text}`),
  word(40, '0123456789abcdef').map((text) => `sbp_${text}`),
  word(34).map((text) => `abc7Q~${text}`),
  word(31, './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789').map(
    (text) => `$2b$12$${text}${text.slice(9)}`,
  ),
  fc
    .tuple(word(24), word(30, base64Url), word(43))
    .map(([head, body, signature]) => `eyJ${head}.eyJ${body}.${signature}`),
);

/** Random values, as session ids and signatures are: with digits, in base64 or in its form for URLs. */
export const randomValues = fc.oneof(
  word(28, base64Url).map((text) => `a7${text}Zk`),
  word(40, `${mixed}+/`).map((text) => `q9${text}B=`),
  word(32, '0123456789abcdef').map((text) => `7e${text}`),
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
  (secret) => `password=***${secret}`,
  (secret) => `token: [REDACTED]${secret}`,
  (secret) => `password=<hidden>${secret} user=ann`,
  (secret) => `{&quot;user&quot;:&quot;ann&quot;,&quot;password&quot;:&quot;${secret}&quot;}`,
  (secret) => `password=&#34;${secret}&#34; user=&#34;ann&#34;`,
  (secret) => `&lt;password&gt;${secret}&lt;/password&gt;`,
  (secret) => `{"passwords":["${secret}","b"]}`,
  (secret) => `jdbc:oracle:thin:scott/${secret}@//db:1521/app`,
  (secret) => `running sqlplus scott/${secret}@app`,
  (secret) => `ldapsearch -x -D cn=admin -w ${secret} -b dc=x`,
  (secret) => `kubectl create secret generic app --from-literal=db=${secret}`,
  (secret) => `SET PASSWORD FOR app = PASSWORD('${secret}')`,
  (secret) => `<param name="db.password" type="string">${secret}</param>`,
  (secret) => `Passwort: ${secret}`,
];

/** Texts around a random value that grants access, though no password. */
export const randomCarriers: readonly ((secret: string) => string)[] = [
  (secret) => `login ok session_id=${secret} user=ann`,
  (secret) => `{"sessionId":"${secret}","n":1}`,
  (secret) => `GET /chat?sid=${secret}&t=1 200`,
  (secret) => `sid: "${secret}"`,
  (secret) => `ASP.NET_SessionId=${secret}`,
  (secret) => `"private_key_id": "${secret}",`,
  (secret) => `x-signature: ${secret}`,
  (secret) => `{"signature":"${secret}"}`,
  (secret) => `Signature keyId="app",algorithm="hmac-sha256",signature="${secret}"`,
  (secret) => `X-Hub-Signature-256: sha256=${secret}`,
  (secret) => `GET /auth/callback?code=${secret}&state=7 302`,
  (secret) => `GET /install?hmac=${secret}&shop=x 200`,
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
  (secret) => `auth:\n  passwords:\n    - other\n    - ${secret}\n  port: 1\n`,
  (secret) => `variable "db_password" {\n  type    = string\n  default = "${secret}"\n}\n`,
];

/** The body of a private key, in lines of 64 characters. */
export const keyBodies = fc.array(word(64, `${mixed}+/`), { minLength: 3, maxLength: 12 });
