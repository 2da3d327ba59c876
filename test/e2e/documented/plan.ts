/** The order in which the commands of the documents are run, and what each needs. */

/** The way to run a command. One that shows nothing must end with exit code 0. */
export interface Way {
  /** Text of a question and the answer to it. */
  readonly asks?: readonly [string, string];
  /** Text after which a command that goes on is ended. */
  readonly shows?: string | RegExp;
  /** Shell commands that make what the command needs. */
  readonly before?: string;
}

/** Commands that no test can run, each with the reason. */
export const cannotRun: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'replaces the packages that run the tests',
  'npm ci && npm test': 'runs the tests',
  'npm pack && npm install --global ./hostdeck-0.1.0.tgz': 'run in test/package/packed.test.ts',
  'npm run archive': 'run in test/package/archive.test.ts',
  'hostdeck host --listen 192.0.2.1 --tls-cert cert.pem --tls-key key.pem':
    'no machine has this address',
  'hostdeck host --listen 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --host-name deck.example.com':
    'opens this machine to its network',
  'hostdeck host --take-over --runtime swarm ...':
    'needs an engine with a swarm; run in test/cluster',
  'hostdeck host --runtime swarm': 'needs an engine with a swarm; run in test/cluster',
  'hostdeck host --sandbox': 'needs bubblewrap; run in test/host/isolation',
  'source <(hostdeck completion zsh)': 'needs zsh',
  'npm run levels -- /tmp/loghub': 'needs the corpus of loghub',
  'npm run patterns -- /tmp/loghub': 'needs the corpus of loghub',
  'npm run secrets -- /tmp/loghub': 'needs the corpus of loghub',
  'npm start': 'run in test/e2e/ending.test.ts',
  'npm run docs': 'writes into the repository; test/docs compares what it writes',
  'npm uninstall --global hostdeck': 'removes what the machine has installed',
  'HOSTDECK_TEST_SEED=7 npm test': 'runs the tests',
  'hostdeck logs': 'the name of a command that needs a deployment',
  'hostdeck host token': 'the name of a command that needs a wallet',
  'hostdeck profiles add': 'the name of a command that needs a profile',
};

/** Scripts that load the machine for minutes; test/docs checks that the named ones exist. */
const longScripts = /^npm run (?:bench|cluster|conformance|cuts|duel|faults|fuzz|stories)\b/;

/** Returns whether no test can run a command of the documents. */
export function isNotRun(line: string): boolean {
  return line in cannotRun || longScripts.test(line);
}

type Steps = readonly (readonly [string, Way])[];

/** Commands that run the host until they are ended. */
const hostSteps: Steps = [
  ['hostdeck host', { shows: 'Your wallet' }],
  ['hostdeck host --runtime auto', { shows: 'Your wallet' }],
  ['hostdeck host --port 7420', { shows: 'Your wallet' }],
];

const deploymentSteps: Steps = [
  ['hostdeck host token --wallet 0x...', {}],
  ['hostdeck host wallet 0x...', {}],
  ['hostdeck host wallet 0x... --balance 1000', {}],
  ['hostdeck deployments create -f shop.yaml --wait', { asks: ['[y/N]', 'y'] }],
  [
    'hostdeck deployments create -f - --yes -q < shop.yaml',
    { before: "sed -i 's/name: shop/name: ledger/' shop.yaml" },
  ],
  ['hostdeck deployments list', {}],
  ["hostdeck deployments list --json | jq -r '.[].name'", {}],
  ['hostdeck deployments get shop', {}],
  ['hostdeck deployments get shop --json --fields state', {}],
  ['hostdeck deployments wait shop --timeout 90s', {}],
];

/** Says what the end of a watch tells of a restart. */
const verdict = /has no new problems|is worse|is unclear/;

const fileSteps: Steps = [
  ['hostdeck files put app.yaml shop/web:config/', { before: 'echo port: 1 > app.yaml' }],
  ['hostdeck files put nginx.conf shop/web:etc/', { before: 'echo > nginx.conf' }],
  ['hostdeck files put *.html shop/web:', { before: 'echo > a.html; echo > b.html' }],
  ['date | hostdeck files put - shop/web:built.txt --restart none', {}],
  ['hostdeck files list shop/web', {}],
  ['hostdeck files list shop/web config -q', {}],
  ['hostdeck files cat shop/web:config/app.yaml', {}],
  ['hostdeck files diff app.yaml shop/web:config/app.yaml', {}],
  ['hostdeck files diff app.yaml shop/web:config/app.yaml --exit-code -q', {}],
  ['hostdeck files edit shop/web:config/app.yaml', {}],
  ['hostdeck files edit shop/web:config/app.yaml --wait', {}],
  ['hostdeck files get shop/web:config/app.yaml', { asks: ['[y/N]', 'y'] }],
  [
    'hostdeck files cat shop/web:data.json | jq .version',
    { before: `echo '{"version":1}' | hostdeck files put - shop/web:data.json` },
  ],
  [
    'hostdeck files get shop/web:dump.gz - | gunzip',
    { before: 'date | gzip | hostdeck files put - shop/web:dump.gz' },
  ],
  [
    'hostdeck files mv shop/web:app.yaml config/',
    {
      before:
        'hostdeck files rm shop/web:config/app.yaml --yes; hostdeck files put app.yaml shop/web:',
    },
  ],
  [
    'hostdeck files mv shop/web:old.txt new.txt',
    { before: 'date | hostdeck files put - shop/web:old.txt' },
  ],
  [
    'hostdeck files rm shop/web:old.txt',
    { before: 'date | hostdeck files put - shop/web:old.txt', asks: ['[y/N]', 'y'] },
  ],
  [
    'hostdeck files rm shop/web:a shop/web:b --yes',
    { before: 'date > a; date > b; hostdeck files put a b shop/web:' },
  ],
  ['hostdeck files sync site shop/web --dry-run', { before: 'mkdir site; date > site/date' }],
  ['hostdeck files sync site shop/web:public', {}],
  [
    'hostdeck files sync site shop/web --watch --delete',
    { asks: ['[y/N]', 'y'], shows: 'Watching' },
  ],
  [
    'hostdeck files sync ./site shop/web:public --watch',
    { asks: ['[y/N]', 'y'], shows: 'Watching' },
  ],
  ['hostdeck deployments restart shop --wait', {}],
  ['hostdeck deployments restart shop --prove', { shows: verdict }],
  ['hostdeck files put app.yaml shop/web:config/ --yes --prove --auto-restore', { shows: verdict }],
];

const logSteps: Steps = [
  ['hostdeck logs shop | grep ERROR', { shows: 'ERROR' }],
  ['hostdeck logs shop -n 1000', { shows: 'ERROR' }],
  ['hostdeck logs shop -n 1000 | less', { shows: 'ERROR' }],
  ['hostdeck logs shop --since 30m --level error', { shows: 'ERROR' }],
  ['hostdeck logs shop --since yesterday --until today --grep pay', {}],
  ['hostdeck logs shop -p -n 20', {}],
  ['hostdeck logs shop ledger --plain', { shows: 'ledger' }],
  ['hostdeck logs shop -n all -o json | jq -r .logLine', { shows: 'ERROR' }],
  ['hostdeck logs shop --json | jq -r .logLine', { shows: 'ERROR' }],
  ['hostdeck incident shop --since 30m --output shop.tar.gz', {}],
  ['hostdeck incident shop --since 45m --until 15m --dry-run', {}],
  ['hostdeck open shop.tar.gz', { shows: 'INCIDENT' }],
];

const otherSteps: Steps = [
  ['hostdeck watch', { shows: 'Watching' }],
  ['hostdeck watch shop --json', { shows: 'Watching' }],
  ['hostdeck watch --once -q || echo look at hostdeck', {}],
  [
    'hostdeck grants create --grantee 0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c --limit 50 --expires 30d',
    { asks: ['[y/N]', 'y'] },
  ],
  ['hostdeck grants list', {}],
  [`hostdeck grants list --json | jq -r '.[] | select(.state == "active").id'`, {}],
  ['hostdeck grants revoke 5f2e', { asks: ['9f3c', '9f3c'] }],
  ['hostdeck help', {}],
  ['hostdeck help profiles', {}],
  ['hostdeck whoami --json | jq -r .wallet', {}],
  [
    'hostdeck profiles add prod --url https://api.example.com --token-file ~/prod.token --read-only',
    {},
  ],
  ['hostdeck doctor --profile prod', {}],
  [`hostdeck doctor --json | jq -r '.[] | select(.state != "ok") | .finding'`, {}],
  ['HOSTDECK_BASE_URL=https://api.example.com hostdeck', { shows: 'token' }],
  ['hostdeck --screen-reader', { shows: '1 Deployments' }],
  ['source <(hostdeck completion bash)', {}],
  [
    'hostdeck completion fish > ~/.config/fish/completions/hostdeck.fish',
    { before: 'mkdir -p ~/.config/fish/completions' },
  ],
];

const lastSteps: Steps = [
  ['hostdeck deployments close shop', { asks: ['shop', 'shop'] }],
  ['hostdeck deployments wait shop --for closed', {}],
  [
    'hostdeck deployments close shop ledger --yes',
    {
      before:
        "sed 's/name: ledger/name: shop/' shop.yaml | hostdeck deployments create -f - --yes -q",
    },
  ],
  ['hostdeck host backup FILE', {}],
  ['hostdeck host backup FILE --volumes', { before: 'mv FILE FILE.1' }],
  ['hostdeck host restore FILE --data DIR', {}],
];

/** The commands in an order in which each finds what those before it have made. */
export const plan = {
  host: hostSteps,
  deployments: deploymentSteps,
  files: fileSteps,
  logs: logSteps,
  'grants, profiles and the console': otherSteps,
  'the ends': lastSteps,
} as const satisfies Readonly<Record<string, Steps>>;
