/** The program that the stories are about: a small web service with a user of its own. */

/** Ports of a shop on this machine. */
export interface ShopPorts {
  readonly web: number;
  /** Something else that answers here. */
  readonly ledger: number;
  /** Nothing answers here on any machine of ours. */
  readonly closed: number;
}

export const shopCommand = ['node', 'server.js'] as const;

export const settingsFile = 'config/app.yaml';
export const pricesFile = 'prices.js';

/** Names of the settings, in the order of their lines. */
export const settingNames = ['title', 'port', 'ledger'];

/** Returns the files of the program. */
export function shopFiles({ web, ledger }: ShopPorts): Readonly<Record<string, string>> {
  return {
    'server.js': program,
    [pricesFile]: 'exports.total = (items) => items.map(({ price }) => price).join();\n',
    [settingsFile]: `title: Spring\nport: ${web}\nledger: ${ledger}\n`,
  };
}

/**
 * Reads its settings, of which later ones count; serves, asks itself for a price twice a second, and the
 * ledger for its balance each three seconds. One request in a hundred fails, as on any good day.
 */
const program = `'use strict';
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const { total } = require('./prices.js');

// A test that was killed ends none of its programs.
setTimeout(() => process.exit(), 900_000).unref();

const settings = {};
for (const line of fs.readFileSync('config/app.yaml', 'utf8').split('\\n')) {
  const [, name, value] = /^(\\w+): *(.*)$/.exec(line) ?? [];
  if (name !== undefined) settings[name] = value;
}
const port = Number(settings.port);
if (!Number.isInteger(port)) {
  console.error('FATAL config/app.yaml: port is no number: ' + settings.port);
  process.exit(1);
}

const server = http.createServer((request, response) => {
  const begun = performance.now();
  try {
    const body = total([{ price: 3 }, { price: 4 }]);
    if (Math.random() < 0.01) console.error('ERROR client of ' + request.url + ' has gone');
    else console.log('GET ' + request.url + ' 200 ' + Math.round(performance.now() - begun) + 'ms');
    response.end(body);
  } catch (error) {
    console.error(error.stack);
    response.writeHead(500).end();
  }
});

let asked = 0;
function ask() {
  asked += 1;
  http.get({ port, host: '127.0.0.1', path: '/items/' + asked }, (answer) => answer.resume());
  setTimeout(ask, 300 + Math.random() * 400);
}

function askLedger() {
  const socket = net.connect(Number(settings.ledger), '127.0.0.1');
  socket.on('error', ({ message }) => {
    console.error('ERROR ledger: ' + message + ', trying again in 3s');
  });
  socket.on('connect', () => socket.end());
  socket.resume();
  setTimeout(askLedger, 3000);
}

function serve() {
  server.listen(port, '127.0.0.1', () => {
    console.log(settings.title + ' listens on ' + port);
    ask();
    askLedger();
    if (settings.queue !== undefined) {
      setInterval(() => console.error('ERROR queue ' + settings.queue + ' is full'), 25);
    }
    if (settings.lock !== undefined) {
      const held = new Int32Array(new SharedArrayBuffer(4));
      setTimeout(() => Atomics.wait(held, 0, 0, 900_000), 3000);
    }
  });
}
setTimeout(serve, Number(settings.warmup ?? 0) * 1000);
`;
