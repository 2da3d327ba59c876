import type { SeedFile } from '../files/files.ts';

const service = 'web';

/** Files of a small web service that serves public/, /health and /api/time, and logs requests. */
export const webFiles: readonly SeedFile[] = [
  {
    service,
    path: 'README.md',
    content: `# web

A small web service. It serves the files in public/ and answers

- GET /health: "ok"
- GET /api/time: the time as JSON

and requests its own pages every few seconds, to fill the log.

Try this:

1. Change the title in config/site.yaml.
2. Save. The running service still shows the old one.
3. Restart the deployment: now it shows yours.
`,
  },
  {
    service,
    path: 'package.json',
    content: `{
  "name": "sample-web",
  "private": true,
  "type": "module",
  "scripts": { "start": "node server.js" }
}
`,
  },
  {
    service,
    path: 'config/site.yaml',
    content: `# Read once, when the service starts.
title: Sample site
greeting: Nothing to see here yet, but it is running.

# Seconds between two requests to itself.
heartbeat: 4

# Requests slower than this many milliseconds are logged as warnings.
slow: 250
`,
  },
  {
    service,
    path: 'server.js',
    content: `import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { readConfig } from './lib/config.js';

const config = await readConfig('config/site.yaml');
const port = Number(process.env.PORT ?? 8080);

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const files = new Map([
  ['/', 'public/index.html'],
  ['/app.js', 'public/app.js'],
  ['/style.css', 'public/style.css'],
]);

async function answer(path) {
  if (path === '/health') return { type: 'text/plain', body: 'ok' };
  if (path === '/api/time') {
    return { type: 'application/json', body: JSON.stringify({ now: new Date().toISOString() }) };
  }
  const file = files.get(path);
  if (file === undefined) return { status: 404, type: 'text/plain', body: 'not found' };
  const text = await readFile(file, 'utf8');
  const body = text
    .replaceAll('{{title}}', config.title)
    .replaceAll('{{greeting}}', process.env.GREETING ?? config.greeting);
  return { type: types[extname(file)], body };
}

const server = createServer(async (request, response) => {
  const started = performance.now();
  const { status = 200, type, body } = await answer(request.url);
  response.writeHead(status, { 'content-type': type }).end(body);
  const ms = Math.round(performance.now() - started);
  const line = [request.method, request.url, status, ms + 'ms'].join(' ');
  if (status >= 400 || ms > Number(config.slow)) console.warn('WARN', line);
  else console.log(line);
});

const pages = ['/health', '/', '/api/time', '/health', '/app.js', '/health', '/old-page'];
let visits = 0;

async function visit() {
  const page = pages[visits % pages.length];
  visits += 1;
  await fetch('http://127.0.0.1:' + port + page).catch((error) => {
    console.error('ERROR heartbeat:', error.message);
  });
}

server.listen(port, '127.0.0.1', () => {
  console.log('INFO', config.title, 'listening on', port);
  setInterval(visit, Number(config.heartbeat) * 1000);
  visit();
});

process.on('SIGTERM', () => {
  console.log('INFO closing');
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
`,
  },
  {
    service,
    path: 'lib/config.js',
    content: `import { readFile } from 'node:fs/promises';

/** Reads flat "key: value" lines; enough YAML for a small service. */
export async function readConfig(file) {
  const config = {};
  for (const line of (await readFile(file, 'utf8')).split('\\n')) {
    const colon = line.indexOf(':');
    if (line.startsWith('#') || colon === -1) continue;
    config[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return config;
}
`,
  },
  {
    service,
    path: 'public/index.html',
    content: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{title}}</title>
    <link rel="stylesheet" href="/style.css">
    <script type="module" src="/app.js"></script>
  </head>
  <body>
    <h1>{{title}}</h1>
    <p>{{greeting}}</p>
    <p>It is <time id="now">…</time>.</p>
  </body>
</html>
`,
  },
  {
    service,
    path: 'public/app.js',
    content: `const now = document.getElementById('now');

async function refresh() {
  const answer = await fetch('/api/time');
  const time = await answer.json();
  now.textContent = new Date(time.now).toLocaleTimeString();
}

setInterval(refresh, 1000);
refresh();
`,
  },
  {
    service,
    path: 'public/style.css',
    content: `body {
  margin: 4rem auto;
  max-width: 40rem;
  font: 1rem/1.5 system-ui, sans-serif;
}

time {
  font-variant-numeric: tabular-nums;
}
`,
  },
];
