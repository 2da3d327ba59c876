import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRoutine, levelOf } from '../../source/tail/level.ts';
import { codePoint } from '../support/code-point.ts';

const errors = [
  'exited 1, restart 5',
  'killed by SIGKILL',
  'killed by SIGSEGV, restart 2',
  'ERROR pay: timeout after 800ms',
  '\x1b[31mERROR\x1b[0m pay: timeout',
  '[ERROR] something',
  'Error: listen EADDRINUSE: address already in use :::8080',
  'TypeError: Cannot read properties of undefined',
  "TypeError [ERR_INVALID_ARG_TYPE]: The 'path' argument",
  'Uncaught ReferenceError: x is not defined',
  'Traceback (most recent call last):',
  'ValueError: invalid literal for int()',
  'ERROR:root:cannot reach the database',
  '2026-11-20 12:00:00,123 ERROR [main] com.shop.Pay - no answer',
  '2026-11-20 12:00:00.123 ERROR 71 --- [nio-8080-exec-1] c.s.Pay : no answer',
  'Exception in thread "main" java.lang.NullPointerException',
  'java.lang.IllegalStateException: closed',
  'Caused by: java.net.SocketTimeoutException: Read timed out',
  'SEVERE: Servlet.service() threw exception',
  'E0102 15:04:05.678901    1234 file.go:12] cannot sync',
  'F0102 15:04:05.678901    1234 file.go:12] cannot go on',
  'E, [2026-11-20T12:00:00.123 #12] ERROR -- : no answer',
  'time="2026-11-20T12:00:00Z" level=error msg="no answer"',
  'ts=2026-11-20T12:00:00Z caller=main.go:12 level=error err="no answer"',
  't=2026-11-20T12:00:00+0000 lvl=eror msg="no answer"',
  'ERRO[0042] no answer                    host=shop',
  'FATA[0042] no answer',
  '12:00:00.123 [error] GenServer terminating',
  '2026/11/20 12:00:00 [error] 31#31: *1 connect() failed (111: Connection refused)',
  '2026/11/20 12:00:00 [emerg] 1#1: host not found in upstream',
  '[Fri Nov 20 12:00:00.123456 2026] [core:error] [pid 12] AH00124: too many redirects',
  '[2026-11-20 12:00:00.123][12][error][main] [source/server.cc:1] no answer',
  '2026-11-20T12:00:00.123456Z 0 [ERROR] [MY-010119] [Server] Aborting',
  '2026-11-20 12:00:00.123 UTC [71] ERROR:  relation "pay" does not exist',
  '2026-11-20 12:00:00.123 UTC [71] FATAL:  password authentication failed for user "shop"',
  '[2026-11-20T12:00:00Z ERROR shop::pay] no answer',
  '2026-11-20T12:00:00.123456Z ERROR shop::pay: no answer',
  '[12:00:00 ERR] no answer',
  '12:00PM ERR no answer error="timeout"',
  '2026-11-20 12:00:00.123 | ERROR    | shop.pay:charge:12 - no answer',
  '2026-11-20T12:00:00.123Z\terror\tshop/pay.go:12\tno answer',
  '2026/11/20 12:00:00 error: no answer',
  'fail: Microsoft.AspNetCore.Server.Kestrel[13]',
  'crit: Microsoft.AspNetCore.Hosting[6]',
  'panic: runtime error: index out of range [3] with length 3',
  'fatal error: all goroutines are asleep - deadlock!',
  'npm ERR! code ENOENT',
  'npm error code ENOENT',
  'PHP Fatal error:  Uncaught Exception: no answer in /app/pay.php:12',
  'connection error: refused',
  'web_1  | ERROR no answer',
  '<11>Nov 20 12:00:00 shop pay[71]: no answer',
  '<3>usb 1-1: device not accepting address',
  '<131>1 2026-11-20T12:00:00Z shop pay 71 - - no answer',
  '<14>Nov 20 12:00:00 shop pay[71]: ERROR no answer',
  '{"level":"error","ts":1700000000.1,"msg":"no answer"}',
  '{"severity":"ERROR","message":"no answer"}',
  '{"message":"no answer","level":"error","timestamp":"2026-11-20T12:00:00Z"}',
  `{"message":"${'long '.repeat(100)}","level":"fatal"}`,
  '{"level":50,"time":1700000000,"pid":7,"msg":"no answer"}',
  '{"version":"1.1","host":"shop","short_message":"no answer","level":3}',
  '{"@timestamp":"2026-11-20T12:00:00Z","log.level":"error","message":"no answer"}',
  '{"@t":"2026-11-20T12:00:00Z","@mt":"no answer","@l":"Error"}',
  '{"asctime":"2026-11-20 12:00:00","levelname":"ERROR","message":"no answer"}',
  '{"t":{"$date":"2026-11-20T12:00:00Z"},"s":"E","c":"NETWORK","msg":"no answer"}',
  '2026-11-20T12:00:00Z {"level":"error","msg":"no answer"}',
  '10.0.0.1 - - [20/Nov/2026:12:00:00 +0000] "GET /pay HTTP/1.1" 502 157 "-" "curl/8"',
  `10.0.0.1 - - [20/Nov/2026:12:00:00 +0000] "GET /pay?${'q=1&'.repeat(60)} HTTP/2.0" 500 1 "-"`,
  '[2026-11-20T12:00:00.123Z] "POST /pay HTTP/1.1" 503 UF 0 91 24 - "-"',
  'GET /pay 504 upstream timeout',
  '[ALERT]    (1) : no server is available',
];

const warnings = [
  'WARN slow query 812ms',
  '[WARN ] [o.e.c.r.a.DiskThresholdMonitor] high disk watermark',
  '{"level":"warn","msg":"slow"}',
  '{"level":40,"msg":"slow"}',
  'level=warning msg="retry after error"',
  'W0102 15:04:05.678901    1234 file.go:12] slow',
  '[12:00:00 WRN] slow',
  'npm warn deprecated x@1',
  'PHP Warning:  Undefined variable $error in /app/pay.php',
  'app.py:3: DeprecationWarning: use the other ERR_NAME',
  'Warning: something is odd',
  '2026-11-20 12:00:00 [Warning] Aborted connection 12',
  '2026/11/20 12:00:00 [warn] 31#31: *1 an upstream response is buffered',
  '<12>Nov 20 12:00:00 shop pay[71]: slow',
];

const calm = [
  '',
  'listening on 8080',
  'GET /health 200 3ms',
  'GET /error 200 3ms',
  'GET /errors/500 200 3ms',
  'GET /ERROR.html 404',
  '10.0.0.1 - - [20/Nov/2026:12:00:00 +0000] "GET /error HTTP/1.1" 200 500 "-" "panic/1"',
  '10.0.0.1 - - [20/Nov/2026:12:00:00 +0000] "GET /warn HTTP/1.1" 404 157',
  'GET /terrors 200',
  'INFO the page ERROR.html was served',
  '2026-11-20 12:00:00,123 INFO [main] Retry - recovered from ERROR',
  'level=info msg="recovered from error" error="none"',
  '{"level":"info","msg":"ERROR page served"}',
  '{"level":30,"msg":"an error: timeout","err":{"level":"error"}}',
  '{"msg":"set \\"level\\":\\"error\\" in the config","level":"info"}',
  '{"error":null,"ok":true}',
  'I0102 15:04:05.678901    1234 file.go:12] ERROR was fixed',
  'D, [2026-11-20T12:00:00.123 #12] DEBUG -- : no error here',
  'finished with 0 errors, 0 warnings',
  'error_count=0 warnings=0',
  'errors: 0',
  'error: null',
  'no error: all good',
  'error rate 0.1%',
  'ErrorHandler started',
  'loaded module error-handling',
  'see https://example.com/error:codes',
  'log level=debug is on',
  'std::error::Error is a trait',
  `${'x'.repeat(200)} ERROR`,
  'DEBUG 500 items',
  'failover: none',
  '<30>Nov 20 12:00:00 shop pay[71]: started',
  '<86>Nov 20 12:00:00 shop sshd[71]: session opened',
];

describe('the level of a line', () => {
  it.each(errors)('is error: %s', (text) => {
    expect(levelOf(text)).toBe('error');
  });

  it.each(warnings)('is warn: %s', (text) => {
    expect(levelOf(text)).toBe('warn');
  });

  it.each(calm)('is none: %s', (text) => {
    expect(levelOf(text)).toBeUndefined();
  });

  it('is defined for any text and independent of its distant end', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: codePoint }), (text) => {
        const level = levelOf(text);
        expect([undefined, 'error', 'warn']).toContain(level);
        expect(levelOf(`${text.padEnd(2100)} ERROR error: {"level":"error"}`)).toBe(level);
      }),
    );
  });
});

describe('a routine line', () => {
  it('is a line for debugging, or a health check that succeeded', () => {
    const routine = [
      'GET /health 200 4ms',
      '10.0.0.1 - - "GET /healthz HTTP/1.1" 200 2',
      'GET /readyz?verbose 204',
      'DEBUG pool: 3 idle',
      '{"level":"debug","msg":"tick"}',
      'level=trace msg=tick',
    ];
    for (const text of routine) expect([text, isRoutine(text)]).toEqual([text, true]);
  });

  it('is no failed health check, and no other request', () => {
    const others = [
      'GET /health 503 4ms',
      'GET /healthy-recipes 200 4ms',
      'GET /live/stream 200 4ms',
      'GET /pay 200 4ms',
      'debugger attached',
      '',
    ];
    for (const text of others) expect([text, isRoutine(text)]).toEqual([text, false]);
  });
});
