/**
 * `npm run suites` runs suites of others against hostdeck; `npm run suites -- NAME...` these alone. It
 * installs their packages on first use. Exits with 1 when a check failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { install, type Packages } from './install.ts';
import { checkJson, jsonSkips } from './json.ts';
import { checkOpenApi, openApiSkips } from './openapi.ts';
import { Report, type Skips } from './report.ts';
import { checkScripts, scriptSkips } from './scripts.ts';
import { checkTerminals, terminalSkips } from './terminals.ts';
import { checkWebSocket, webSocketSkips } from './websocket.ts';
import { checkYaml, yamlSkips } from './yaml.ts';

/** A suite: the packages that it needs, its skip list, and the function that makes its checks. */
interface Suite {
  readonly about: string;
  readonly packages?: Packages;
  readonly skips: Skips;
  readonly run: (report: Report) => Promise<void>;
}

const suites: Readonly<Record<string, Suite>> = {
  json: {
    about: 'JSONTestSuite as answers, as messages of a log stream and as log lines',
    packages: 'data',
    skips: jsonSkips,
    run: checkJson,
  },
  yaml: {
    about: 'the YAML test suite as definitions and as config.yaml, which is edited',
    packages: 'data',
    skips: yamlSkips,
    run: checkYaml,
  },
  scripts: {
    about: 'mandoc, shellcheck and the shells on the manual page, completions and scripts',
    skips: scriptSkips,
    run: checkScripts,
  },
  openapi: {
    about: 'linters, a validating proxy and a generated client on the OpenAPI document',
    packages: 'tools',
    skips: openApiSkips,
    run: checkOpenApi,
  },
  terminals: {
    about: "libvterm and Ghostty's terminal on all that the tests in pseudo-terminals wrote",
    packages: 'data',
    skips: terminalSkips,
    run: checkTerminals,
  },
  websocket: {
    about: 'websockets (Python) and libwebsockets (C) as services of log streams',
    skips: webSocketSkips,
    run: checkWebSocket,
  },
};

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(suites, name));
if (unknown !== undefined) {
  process.stderr.write(`No suite ${unknown}. There are ${Object.keys(suites).join(', ')}.\n`);
  process.exit(2);
}

const chosen = Object.entries(suites).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
);
const needed = new Set(chosen.flatMap(([, suite]) => suite.packages ?? []));
const missing =
  needed.size === 0 ? undefined : await install(needed.has('tools') ? 'tools' : 'data');

const total = { passed: 0, failed: 0, skipped: 0 };
for (const [name, { about, packages, skips, run }] of chosen) {
  const report = new Report(skips, write);
  write(`${name}: ${about}`);
  if (packages !== undefined && missing !== undefined) {
    report.lack(name, `its packages can't be installed: ${missing}`);
  } else {
    await run(report).catch((error: unknown) => report.fail(name, String(error)));
    report.end();
  }
  const { passed, failed, skipped } = report;
  write(`  ${passed} passed, ${failed} failed, ${skipped} skipped`);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

// For .ci/run, in the form of the reports of the test runner.
const reports = path.join(import.meta.dirname, '../../node_modules/.cache/hostdeck');
mkdirSync(reports, { recursive: true });
writeFileSync(
  path.join(reports, 'suites.json'),
  JSON.stringify({ numPassedTests: total.passed, numFailedTests: total.failed }),
);
write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
