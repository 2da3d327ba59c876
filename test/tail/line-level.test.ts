import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelOf, lineLevel } from '../../source/tail/level.ts';
import type { LineLevel } from '../../source/tail/levels/level-words.ts';

/** Lines as loggers write them, by the level that they name. */
const named: Readonly<Record<LineLevel, readonly string[]>> = {
  fatal: [
    '03-17 16:13:38.811  1702  2395 F libc    : Fatal signal 11 (SIGSEGV), code 1',
    '[2026-01-02 12:00:00] production.CRITICAL: disk full {"exception":"x"} []',
    '[2026-01-02T12:00:00.123456+00:00] app.EMERGENCY: no answer [] []',
    '2026-01-02 12:00:00 [critical ] no answer                     [shop.pay]',
    '2026.01.02 12:00:00.123456 [ 12 ] {} <Fatal> Application: no answer',
    '2026-01-02 12:00:00.123 UTC [71] PANIC:  could not write to file',
    'F260102 12:00:00.123456 12 server/node.go:12  no answer',
    'F, [2026-01-02T12:00:00.123 #12] FATAL -- : no answer',
    '- 1117838570 2005.06.03 R02-M1 2005-06-03-15.42.50.67 R02-M1 RAS KERNEL FATAL data TLB error',
    '{"level":60,"time":1700000000,"msg":"no answer"}',
    '{"level":"dpanic","msg":"no answer"}',
    '<8>Jan  2 12:00:00 shop pay[71]: no answer',
    "thread 'main' panicked at src/main.rs:4:5:",
    'panic: runtime error: invalid memory address or nil pointer dereference',
    'Segmentation fault (core dumped)',
    '/start.sh: line 3:    12 Segmentation fault      (core dumped) ./shop',
    'Aborted (core dumped)',
    '-e:1: [BUG] Segmentation fault at 0x0000000000000000',
    '*** stack smashing detected ***: terminated',
    "terminate called after throwing an instance of 'std::runtime_error'",
    'Out of memory: Killed process 71 (shop) total-vm:1kB',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'EMERG shop: no answer',
    'crit: Microsoft.AspNetCore.Hosting.Diagnostics[6]',
  ],
  error: [
    '03-17 16:13:38.811  1702  2395 E WindowManager: no answer',
    '2026-03-17 16:13:38.811 +0100  root  1702  2395 E Shop: no answer',
    'E/ActivityManager( 1234): no answer',
    '03-17 16:13:38.811 E/flutter (12345): [ERROR:flutter/lib/ui/ui.cc(209)] no answer',
    '[2026-01-02 12:00:00] local.ERROR: Undefined variable $a {"userId":1}',
    '2026-01-02 12:00:00 [error    ] no answer                      user=ann',
    'at=error code=H12 desc="Request timeout" method=GET path=/',
    't=2026-01-02T12:00:00Z lvl=eror msg="no answer"',
    '2026/01/02 12:00:00 ERROR no answer user=ann',
    'EROR[01-02|12:00:00] no answer                            user=ann',
    '2026-01-02T12:00:00.123Z [ERROR] agent: no answer',
    '[0102/120000.123456:ERROR:gpu_init.cc(12)] no answer',
    '[E 12:00:00.123 NotebookApp] no answer',
    '[E 260102 12:00:00 web:1789] no answer',
    '2026-01-02 12:00:00.1234|ERROR|Shop.Pay|no answer',
    '[Nest] 12  - 01/02/2026, 12:00:00 PM   ERROR [PayService] no answer',
    '[ ERROR ] no answer [request-id: 12]',
    '2026-01-02T12:00:00+0000 error codes.shop.pay : no answer',
    '[0.123s][error][gc] no answer',
    "{ level: 'error', message: 'no answer' }",
    "{'level': 'error', 'event': 'no answer'}",
    '{"L":"ERROR","T":"2026-01-02T12:00:00Z","M":"no answer"}',
    '2019-01-02T12:00:00.123+0000 E NETWORK  [conn12] no answer',
    '=ERROR REPORT==== 2-Jan-2026::12:00:00 ===',
    '[    12.345] (EE) no screens found',
    'FAILURE: Build failed with an exception.',
    'Unhandled rejection at shop.js:12',
    'failed: [Error: no answer] {',
    'web_1  | Error: no answer',
  ],
  warn: [
    '03-17 16:13:38.811  1702  2395 W WindowManager: slow',
    'W/dalvikvm(  123): slow',
    '[2026-01-02 12:00:00] production.WARNING: slow',
    '2026-01-02 12:00:00 [warning  ] slow                           [shop]',
    '1:M 02 Jan 2026 12:00:00.123 # Warning: no config file specified',
    '2026.01.02 12:00:00.123456 [ 12 ] {} <Warning> Context: slow',
    '02-Jan-2026 12:00:00.123 WARNING [main] org.apache.Pay slow',
    'level=WARN msg=slow',
    'at=warn slow=true',
  ],
  info: [
    '2016-09-28 04:30:30, Info                  CBS    Warning: Unrecognized attribute.',
    '03-17 16:13:38.811  1702  2395 I Errors  : no error found',
    'INFO: no error found',
    'INFO:root:0 errors',
    'info: error: retried and done',
    '2026-01-02 12:00:00 [info     ] failed before, done now        [shop]',
    '[2026-01-02 12:00:00] production.INFO: Error page shown',
    '[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok, Error: none',
    'at=info method=GET path="/error" status=200',
    '2026-01-02 12:00:00.123 UTC [71] LOG:  checkpoint complete; error: none',
    'LOG:  an error: was mended',
    '2026-01-02T12:00:00.123456Z 0 [Note] [MY-010051] Warning: none',
    'time="2026-01-02T12:00:00Z" level=info msg="error: retried"',
    '{"severity":"NOTICE","message":"ERROR: retried"}',
    '{"level":"30","msg":"x"}',
    'I0102 15:04:05.678901    1234 file.go:12] Warning: none',
    '1:M 02 Jan 2026 12:00:00.123 * Ready; error: none',
    '2026-01-02T12:00:00+0000 info codes.shop : error: none',
    '<30>Jan  2 12:00:00 shop pay[71]: started',
  ],
  debug: [
    '03-17 16:13:38.811  1702  2395 D Shop    : error: retried',
    '03-17 16:13:38.811  1702  2395 V AudioManager: getMode...',
    'dbug: Microsoft.Extensions[1]',
    '2026-01-02 12:00:00 [debug    ] error: retried',
    '{"level":20,"msg":"error: retried"}',
    '{"level":"trace","msg":"x"}',
    'D, [2026-01-02T12:00:00.123 #12] DEBUG -- : error: retried',
    '[12:00:00 VRB] error: retried',
    'level=debug msg="error: retried"',
  ],
};

/** Lines that name no level, and whose words say nothing bad. */
const unnamed: readonly string[] = [
  'Error handling is on',
  'error reporting: off',
  'Error pages loaded',
  'Alert manager started',
  'critical path computed',
  'Warning light is off',
  'NO ERROR',
  'no errors found',
  'at=2026-01-02 method=GET',
  'errors=0 warnings=0',
  'error: []',
  'E is for error',
  'I/O is fine',
  'D-Bus started',
  'the log has level error',
  'GET /?level=error&at=error 200',
];

const all = Object.entries(named) as readonly (readonly [LineLevel, readonly string[]])[];

describe('the level that a line names', () => {
  it.each(all)('%s', (level, lines) => {
    const found = lines.map((line) => [line, lineLevel(line)]);
    expect(found).toEqual(lines.map((line) => [line, level]));
  });

  it('is none where the words only sound like one', () => {
    expect(unnamed.map((line) => [line, levelOf(line)])).toEqual(
      unnamed.map((line) => [line, undefined]),
    );
  });

  it('is read through colours', () => {
    expect(lineLevel('2026-01-02 12:00:00 [\x1b[32minfo     \x1b[0m] \x1b[1merror: x\x1b[0m')).toBe(
      'info',
    );
  });

  it('agrees with whether the line is a warning or an error, for any mixture of lines', () => {
    const lines = all.flatMap(([, some]) => some);
    const pieces = fc.constantFrom(
      ...lines,
      ...unnamed,
      ...lines.flatMap((line) => line.split(' ')),
    );
    const texts = fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join(' '));
    const trouble = { fatal: 'error', error: 'error', warn: 'warn' } as const;
    fc.assert(
      fc.property(texts, (text) => {
        const level = lineLevel(text);
        expect(levelOf(text)).toBe(
          level === undefined || level === 'info' || level === 'debug' ? undefined : trouble[level],
        );
      }),
    );
  });
});
