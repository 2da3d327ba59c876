import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePlaces } from '../../../../source/store/log/code/code-places.ts';
import { fileAt, fileOfPlace } from '../../../../source/store/log/code/file-at.ts';

/** Files of a service with parts in several languages. */
const files = [
  'server.js',
  'lib/config.js',
  'src/app.ts',
  'src/my cart.ts',
  'src/routes/[id].ts',
  'main.py',
  'shop/cart.py',
  'shop/__init__.py',
  'src/main/java/com/acme/shop/Cart.java',
  'src/main/kotlin/com/acme/Main.kt',
  'main.go',
  'internal/store/store.go',
  'app.rb',
  'lib/cart.rb',
  'index.php',
  'src/Cart.php',
  'src/main.rs',
  'src/cart.rs',
  'Program.cs',
  'config/app.yaml',
  'nginx.conf',
  'Makefile',
];

/** Lines as these programs write them, and the place in a file that Enter is to open. */
const traces: readonly (readonly [string, string | undefined])[] = [
  // Node
  ['    at handler (/app/server.js:12:5)', 'server.js:12'],
  ['    at async file:///app/lib/config.js:3:14', 'lib/config.js:3'],
  ['    at Object.<anonymous> (/srv/shop/lib/config.js:3:14)', 'lib/config.js:3'],
  ['file:///app/server.js:1', 'server.js:1'],
  ['/app/src/app.ts:40', 'src/app.ts:40'],
  ['    at new Cart (webpack-internal:///./src/app.ts:7:9)', 'src/app.ts:7'],
  ['    at GET (/app/src/routes/[id].ts:4:11)', 'src/routes/[id].ts:4'],
  ['    at node:internal/modules/esm/loader:639:32', undefined],
  ['    at next (/app/node_modules/express/lib/server.js:97:13)', undefined],
  ['src/app.ts(12,5): error TS2304: Cannot find name', 'src/app.ts:12'],
  ['    at GET (webpack-internal:///(rsc)/./src/app.ts:7:9)', 'src/app.ts:7'],
  ['    at Cart.add (webpack://shop/./src/app.ts?1f2e:7:9)', 'src/app.ts:7'],
  ['    at async add (file:///app/src/my%20cart.ts:7:9)', 'src/my cart.ts:7'],
  ['    at add (/app/src/my cart.ts:7:9)', 'src/my cart.ts:7'],
  ['    at /app/src/my cart.ts:7:9', 'src/my cart.ts:7'],
  ['    at file:///C:/app/server.js:12:5', 'server.js:12'],
  ['    at Module._compile (C:\\app\\server.js:12:5)', 'server.js:12'],
  ['    at add (/app/my server.js:3:4)', undefined],
  ['my server.js:3', undefined],
  ['could not load my cart.ts:3', 'src/my cart.ts:3'],
  ['could not load /app/our lib/config.js:3', undefined],
  ['2026/11/26 10:00:00 ERROR server.js:31: closed', 'server.js:31'],
  ['    at eval (eval at run (/app/server.js:12:5), <anonymous>:1:1)', 'server.js:12'],
  // Python
  ['  File "/app/main.py", line 12, in <module>', 'main.py:12'],
  ['  File "/app/shop/cart.py", line 7, in add', 'shop/cart.py:7'],
  ['  File "/usr/local/lib/python3.12/site-packages/flask/main.py", line 9, in run', undefined],
  ['  File "<string>", line 1, in <module>', undefined],
  ['/app/main.py:30: DeprecationWarning: use the other one', 'main.py:30'],
  ['  in "config/app.yaml", line 3, column 5', 'config/app.yaml:3'],
  // The JVM
  ['\tat com.acme.shop.Cart.add(Cart.java:42)', 'src/main/java/com/acme/shop/Cart.java:42'],
  ['\tat com.acme.shop.Cart$Item.<init>(Cart.java:7)', 'src/main/java/com/acme/shop/Cart.java:7'],
  ['\tat app//com.acme.shop.Cart.lambda$0(Cart.java:9)', 'src/main/java/com/acme/shop/Cart.java:9'],
  ['\tat com.acme.MainKt.main(Main.kt:3)', 'src/main/kotlin/com/acme/Main.kt:3'],
  ['\tat java.base/java.lang.Thread.run(Thread.java:833)', undefined],
  ['\tat com.other.Cart.add(Cart.java:42)', undefined],
  ['\tat com.acme.shop.Cart.add(Native Method)', undefined],
  // Go
  ['\t/app/main.go:12 +0x1d', 'main.go:12'],
  ['\t/src/internal/store/store.go:88 +0x2b4', 'internal/store/store.go:88'],
  ['./main.go:9:2: undefined: cart', 'main.go:9'],
  ['2026/11/26 10:00:00 main.go:31: cart is empty', 'main.go:31'],
  ['\t/usr/local/go/src/runtime/panic.go:1038 +0x215', undefined],
  // Ruby
  ["/app/lib/cart.rb:12:in 'Cart#add': no price (RuntimeError)", 'lib/cart.rb:12'],
  ["\tfrom app.rb:3:in '<main>'", 'app.rb:3'],
  ["\tfrom /usr/lib/ruby/gems/3.3.0/gems/rack-3.1/app.rb:3:in 'call'", undefined],
  // PHP
  ['#0 /app/src/Cart.php(42): Cart->add()', 'src/Cart.php:42'],
  ['PHP Fatal error:  Uncaught Exception: x in /app/index.php:12', 'index.php:12'],
  ['PHP Warning:  Undefined variable $a in /app/index.php on line 4', 'index.php:4'],
  ['#1 /app/vendor/acme/http/src/Cart.php(42): add()', undefined],
  // Rust
  ["thread 'main' panicked at src/main.rs:4:5:", 'src/main.rs:4'],
  ["thread 'main' panicked at 'no price', src/main.rs:4:5", 'src/main.rs:4'],
  ['  --> src/cart.rs:3:9', 'src/cart.rs:3'],
  ['             at ./src/cart.rs:20:13', 'src/cart.rs:20'],
  ['             at /rustc/90b35a6/library/std/src/main.rs:648:5', undefined],
  // Others
  ['   at Shop.Program.Main() in /app/Program.cs:line 12', 'Program.cs:12'],
  ['   at Shop.Program.Main() in C:\\app\\Program.cs:line 12', 'Program.cs:12'],
  ['nginx: [emerg] unknown directive "x" in /etc/nginx/nginx.conf:12', 'nginx.conf:12'],
  ['Makefile:12: *** missing separator.  Stop.', 'Makefile:12'],
  ['{"level":"error","caller":"store/store.go:12","msg":"no"}', 'internal/store/store.go:12'],
  // No places in code
  ['connect ECONNREFUSED 127.0.0.1:8080', undefined],
  ['listening on http://localhost:3000', undefined],
  ['2026-11-26T10:00:00.123Z GET /health:200 in 12ms', undefined],
  ['12:30:45 job 7: done (3)', undefined],
];

describe('the places in code that a line names', () => {
  it.each(traces)('%s', (line, expected) => {
    const found = codePlaces(line).flatMap((place) => {
      const file = fileOfPlace(place, files);
      return file === undefined ? [] : [`${file}:${place.line}`];
    });
    expect(found).toEqual(expected === undefined ? [] : [expected]);
  });

  it('stand in the text where they say, in its order, for any text', () => {
    const part = fc.constantFrom(
      ...traces.map(([line]) => line),
      ...'/ : ( ) 1 "'.split(' '),
      '\u{1F600}',
    );
    const texts = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let behind = 0;
        for (const { path, line, from, to } of codePlaces(text)) {
          expect(from).toBeGreaterThanOrEqual(behind);
          expect(text.slice(from, to)).toContain(String(line));
          const name = path.slice(path.lastIndexOf('/') + 1);
          expect(decodeURI(text.slice(from, to)).replaceAll('\\', '/')).toContain(name);
          behind = to;
        }
      }),
    );
  });
});

describe('the file of a place', () => {
  it('is the one that shares the longest end of the path', () => {
    const some = ['cart.js', 'shop/cart.js', 'old/shop/cart.js'];
    expect(fileAt('/app/shop/cart.js', some)).toBe('shop/cart.js');
    expect(fileAt('/app/old/shop/cart.js', some)).toBe('old/shop/cart.js');
    expect(fileAt('/app/new/cart.js', some)).toBe('cart.js');
  });

  it('is none where several fit as well, or only a part of a name does', () => {
    expect(fileAt('cart.js', ['a/cart.js', 'b/cart.js'])).toBeUndefined();
    expect(fileAt('/app/mycart.js', ['cart.js'])).toBeUndefined();
    expect(fileAt('../cart.js', ['cart.js'])).toBeUndefined();
  });
});
