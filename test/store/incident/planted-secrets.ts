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

/** Keys and hashes as their issuers make them. */
export const issuedForms: readonly RegExp[] = [
  // AWS, Google, Alibaba
  /^A3T[A-Z0-9]{17}$/,
  /^(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}$/,
  /^AIza[A-Za-z0-9_-]{35}$/,
  /^GOCSPX-[A-Za-z0-9_-]{28}$/,
  /^ya29\.[A-Za-z0-9_-]{120}$/,
  /^LTAI[A-Za-z0-9]{20}$/,
  // Code and packages
  /^gh[oprsu]_[A-Za-z0-9]{36}$/,
  /^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/,
  /^gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{20}$/,
  /^npm_[A-Za-z0-9]{36}$/,
  /^pypi-AgE[A-Za-z0-9_-]{150}$/,
  /^dckr_(?:pat|oat)_[A-Za-z0-9_-]{27}$/,
  // Messages and payment
  /^xox[abeprs](?:\.xox[abp])?-[0-9]{10}-[A-Za-z0-9]{24}$/,
  /^xapp-1-[A-Z0-9]{11}-[0-9]{13}-[a-f0-9]{64}$/,
  /^(?:sk|rk)_(?:test|live|prod)_[A-Za-z0-9]{24}$/,
  /^whsec_[A-Za-z0-9+/]{32}$/,
  /^SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/,
  /^key-[0-9a-f]{32}$/,
  /^shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}$/,
  /^[0-9]{10}:AA[A-Za-z0-9_-]{33}$/,
  // Models and clouds
  /^sk-(?:proj-|ant-|svcacct-|admin-|or-)?[A-Za-z0-9]{48}$/,
  /^hf_[A-Za-z]{34}$/,
  /^do[opr]_v1_[a-f0-9]{64}$/,
  /^hv[brs]\.[A-Za-z0-9_-]{95}$/,
  /^dapi[a-f0-9]{32}$/,
  /^gl(?:c|sa)_[A-Za-z0-9+/]{40}$/,
  /^(?:lin_api|ntn|sntrys|dp\.pt|r8|pul)_[A-Za-z0-9]{40}$/,
  /^AGE-SECRET-KEY-1[A-Z0-9]{58}$/,
  // Further services
  /^[0-9a-f]{32}-us[0-9]{1,2}$/,
  /^SK[0-9a-f]{32}$/,
  /^sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})$/,
  /^NRAK-[A-Z0-9]{27}$/,
  /^rubygems_[0-9a-f]{48}$/,
  /^oy2[a-z0-9]{43}$/,
  /^fig[dur]_[A-Za-z0-9_-]{40}$/,
  /^(?:gsk|nfp|bkua)_[A-Za-z0-9]{40}$/,
  /^(?:pplx|xai)-[A-Za-z0-9]{48}$/,
  /^sb[ps]_[0-9a-f]{40}$/,
  /^sb_secret_[A-Za-z0-9_-]{31}$/,
  /^[a-z0-9]{3}[0-9]Q~[A-Za-z0-9_.~-]{31}$/,
  /^PMAK-[0-9a-f]{24}-[0-9a-f]{34}$/,
  /^pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{43}$/,
  /^tskey-(?:auth|api|client)-[A-Za-z0-9]{40}$/,
  /^AKCp[A-Za-z0-9]{69}$/,
  /^[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{67}$/,
  /^AT[AC]TT3[A-Za-z0-9_=-]{180}$/,
  /^CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}$/,
  /^EZ[AT]K[a-z0-9]{54}$/,
  /^FLWSECK(?:_TEST)?-[a-f0-9]{32}$/,
  /^access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}$/,
  /^\$2[aby]\$12\$[./A-Za-z0-9]{53}$/,
  /^\$(?:1|5|6|7|y)\$[./A-Za-z0-9]{8}\$[./A-Za-z0-9]{43}$/,
  /^\$argon2(?:id|i|d)\$v=19\$m=65536,t=3,p=4\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  /^\$pbkdf2-sha256\$29000\$[A-Za-z0-9./]{22}\$[A-Za-z0-9./]{43}$/,
  /^eyJ[A-Za-z0-9]{24}\.eyJ[A-Za-z0-9_-]{30}\.[A-Za-z0-9_-]{43}$/,
  // hostdeck
  /^hd_[A-Za-z0-9_-]{43}$/,
];

/** Secrets that their own form gives away. */
export const issuedSecrets = fc.oneof(...issuedForms.map((form) => fc.stringMatching(form)));

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
  (secret) => `authorization: ${secret}`,
  (secret) => `sent bearer ${secret} to it`,
  (secret) => `proxy-authorization: Basic ${btoa(`a:${secret}`)}`,
  (secret) => `Cookie: sid=${secret}; theme=dark`,
  (secret) => `https://x.blob.core.windows.net/c/f?sv=2&sig=${secret}&se=3`,
  (secret) => `{"Name":"DB_PASSWORD","Value":"${secret}"}`,
  (secret) => `{"headers":{"authorization":["Bearer ${secret}"]}}`,
  (secret) => `Config{User:bob Password:${secret} Host:db}`,
  (secret) => `{'password': '${secret}', 'port': 1}`,
  (secret) => `{"auths":{"r.example.com":{"auth":"${btoa(`a:${secret}`)}"}}}`,
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
  (secret) => `env: [DB_PASSWORD=other, API_TOKEN=${secret}, PORT=80]\n`,
  (secret) => `db:\n  password: ${secret} # keep\n  port: 5432\n`,
  (secret) => `db:\n  password: |\n    ${secret}\n  port: 5432\n`,
  (secret) => `{\n  "apiKey": "${secret}",\n  "port": 1\n}\n`,
  (secret) => `export SECRET_KEY_BASE='${secret}'\nPORT=1\n`,
  (secret) => `[db]\nclient_secret = ${secret}\n`,
  (secret) => `auth:\n  passwords:\n    - other\n    - ${secret}\n  port: 1\n`,
  (secret) => `variable "db_password" {\n  type    = string\n  default = "${secret}"\n}\n`,
];

/** Texts that hide a secret in another encoding, or that other rules find. */
export const furtherCarriers: readonly ((secret: string) => string)[] = [
  (secret) => JSON.stringify({ password: `${secret}"\\'&<` }),
  (secret) => JSON.stringify({ msg: JSON.stringify({ secret: `${secret}"x` }) }),
  (secret) => `PGPASSWORD='${secret}$%' psql`,
  (secret) => `Authorization: Digest username="ann", realm="x", response="${hexOf(secret)}"`,
  (secret) => `api_key=redacted-${secret}`,
  (secret) => `https://discord.com/api/webhooks/1234/${secret.repeat(5)}`,
  (secret) => `https://hooks.slack.com/services/T0/B0/${secret.repeat(3)}`,
  (secret) => `sent Basic ${btoa(`a:${secret}`)} to it`,
  (secret) => `git clone https://${secret}XYZ9@github.com/x/y`,
];

/** Returns 32 digits of base 16 for a text. */
export function hexOf(text: string): string {
  return Buffer.from(text.padEnd(16)).toString('hex').slice(0, 32);
}

/** The body of a private key, in lines of 64 characters. */
export const keyBodies = fc.array(word(64, `${mixed}+/`), { minLength: 3, maxLength: 12 });
