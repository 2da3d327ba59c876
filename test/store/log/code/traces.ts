/** Stack traces as seven languages write them, with the places in files of the service that they name. */

export interface TraceSample {
  readonly name: string;
  readonly text: string;
  /** Places in the order of the trace. */
  readonly places: readonly string[];
  /** The place to open from the line that begins the trace; the first one where it is left out. */
  readonly first?: string;
}

/** Files of one service with parts in all languages. */
export const traceFiles: readonly string[] = [
  'server.js',
  'src/server.js',
  'src/cart/index.js',
  'src/pay/index.js',
  'src/app.ts',
  'src/app/page.tsx',
  'src/our cart.js',
  'node_modules/express/lib/router/index.js',
  'main.py',
  'shop/cart.py',
  'shop/pay.py',
  'shop/views/__init__.py',
  'src/main/java/com/acme/shop/Cart.java',
  'src/main/java/com/acme/shop/Pay.java',
  'src/main/kotlin/com/acme/Main.kt',
  'main.go',
  'internal/store/store.go',
  'cmd/shop/main.go',
  'app.rb',
  'lib/cart.rb',
  'app/models/pay.rb',
  'index.php',
  'src/Cart.php',
  'app/Http/Controllers/PayController.php',
  'src/main.rs',
  'src/cart.rs',
  'src/store/mod.rs',
];

export const traceSamples: readonly TraceSample[] = [
  // Node
  {
    name: 'Node, CommonJS',
    text: `TypeError: Cannot read properties of undefined (reading 'price')
    at add (/app/src/cart/index.js:12:18)
    at Layer.handle [as handle_request] (/app/node_modules/express/lib/router/layer.js:95:5)
    at next (/app/node_modules/express/lib/router/route.js:149:13)
    at /app/src/server.js:40:7
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`,
    places: ['src/cart/index.js:12', 'src/server.js:40'],
  },
  {
    name: 'Node, modules',
    text: `Error: no price
    at file:///app/src/pay/index.js:3:9
    at ModuleJob.run (node:internal/modules/esm/module_job:274:25)
    at async onImport.tracePromise.__proto__ (node:internal/modules/esm/loader:644:26)
    at async add (file:///app/src/cart/index.js:7:3)`,
    places: ['src/pay/index.js:3', 'src/cart/index.js:7'],
  },
  {
    name: 'Node, an uncaught error with the line of the source',
    text: `/app/src/server.js:8
    throw new Error('closed');
    ^

Error: closed
    at Object.<anonymous> (/app/src/server.js:8:11)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)

Node.js v22.14.0`,
    places: ['src/server.js:8'],
  },
  {
    name: 'Node, a syntax error',
    text: `/usr/src/shop/src/pay/index.js:31
  return price
  ^^^^^^

SyntaxError: Unexpected token 'return'
    at wrapSafe (node:internal/modules/cjs/loader:1486:18)`,
    places: ['src/pay/index.js:31'],
  },
  {
    name: 'Node, dependencies on top',
    text: `Error: Route.get() requires a callback function but got a [object Undefined]
    at Route.<computed> [as get] (/app/node_modules/express/lib/router/index.js:211:15)
    at Object.<anonymous> (/app/src/server.js:21:5)`,
    places: ['node_modules/express/lib/router/index.js:211', 'src/server.js:21'],
    first: 'src/server.js:21',
  },
  {
    name: 'Node, only dependencies that are no files of the service',
    text: `Error: socket hang up
    at connResetException (node:internal/errors:720:14)
    at Socket.socketOnEnd (node:_http_client:525:23)
    at next (/app/node_modules/koa/lib/server.js:9:1)`,
    places: [],
  },
  {
    name: 'Node, a name with a space',
    text: `Error: no price
    at total (/app/src/our cart.js:3:9)
    at async file:///app/src/our%20cart.js:20:1`,
    places: ['src/our cart.js:3', 'src/our cart.js:20'],
  },
  {
    name: 'Node, a name whose end is the name of another file',
    text: `Error: no price
    at total (/app/old server.js:3:9)
    at /app/src/our server.js:4:1
    at run (/app/our src/server.js:5:1)`,
    // The last one may lie in a folder named "our src" outside of the service.
    places: ['server.js:5'],
  },
  {
    name: 'webpack',
    text: `ReferenceError: price is not defined
    at Page (webpack-internal:///(rsc)/./src/app/page.tsx:14:9)
    at Cart (webpack://shop/./src/app.ts?6f1c:9:3)
    at renderToString (webpack-internal:///./node_modules/react-dom/server.js:5:1)`,
    places: ['src/app/page.tsx:14', 'src/app.ts:9'],
  },
  {
    name: 'Node on Windows',
    text: `Error: no price
    at add (C:\\shop\\src\\cart\\index.js:12:18)
    at async file:///C:/shop/src/pay/index.js:3:9`,
    places: ['src/cart/index.js:12', 'src/pay/index.js:3'],
  },
  {
    name: 'TypeScript, the compiler',
    text: `src/app.ts(12,5): error TS2304: Cannot find name 'price'.
src/app.ts:13:7 - error TS2551: Property 'prise' does not exist`,
    places: ['src/app.ts:12', 'src/app.ts:13'],
  },
  {
    name: 'Node, a name that several files have',
    text: `Error: no price
    at add (index.js:12:18)
    at run (/opt/other/index.js:3:1)`,
    places: [],
  },
  // Python
  {
    name: 'Python',
    text: `Traceback (most recent call last):
  File "/app/main.py", line 12, in <module>
    run()
  File "/app/shop/cart.py", line 7, in add
    total(item)
  File "/app/shop/pay.py", line 3, in total
    return item["price"]
           ~~~~^^^^^^^^^
KeyError: 'price'`,
    places: ['main.py:12', 'shop/cart.py:7', 'shop/pay.py:3'],
    first: 'shop/pay.py:3',
  },
  {
    name: 'Python, dependencies at the bottom',
    text: `Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/flask/app.py", line 1473, in wsgi_app
    response = self.full_dispatch_request()
  File "/app/shop/cart.py", line 7, in add
    db.get(item)
  File "/usr/local/lib/python3.12/site-packages/sqlalchemy/main.py", line 9, in get
    raise Missing()
sqlalchemy.exc.NoResultFound: No row was found`,
    places: ['shop/cart.py:7'],
  },
  {
    name: 'Python, two exceptions',
    text: `Traceback (most recent call last):
  File "/app/shop/cart.py", line 7, in add
    total(item)
ValueError: x

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/main.py", line 30, in run
    log.error(missing)
NameError: name 'missing' is not defined`,
    places: ['shop/cart.py:7', 'main.py:30'],
    first: 'main.py:30',
  },
  {
    name: 'Python, a package',
    text: `Traceback (most recent call last):
  File "/srv/shop/views/__init__.py", line 4, in index
    raise Http404
django.http.response.Http404`,
    places: ['shop/views/__init__.py:4'],
  },
  {
    name: 'Python, a syntax error',
    text: `  File "/app/shop/pay.py", line 9
    def total(item)
                   ^
SyntaxError: expected ':'`,
    places: ['shop/pay.py:9'],
  },
  {
    name: 'Python, a warning',
    text: '/app/shop/pay.py:30: DeprecationWarning: use total()',
    places: ['shop/pay.py:30'],
  },
  // Java
  {
    name: 'Java',
    text: `Exception in thread "main" java.lang.IllegalStateException: no price
\tat com.acme.shop.Cart.add(Cart.java:42)
\tat com.acme.shop.Cart$Item.<init>(Cart.java:7)
\tat com.acme.MainKt.main(Main.kt:3)
\tat java.base/java.lang.Thread.run(Thread.java:833)`,
    places: [
      'src/main/java/com/acme/shop/Cart.java:42',
      'src/main/java/com/acme/shop/Cart.java:7',
      'src/main/kotlin/com/acme/Main.kt:3',
    ],
  },
  {
    name: 'Java, with a cause',
    text: `java.lang.RuntimeException: no answer
\tat org.springframework.web.Servlet.service(Servlet.java:897)
\tat app//com.acme.shop.Pay.send(Pay.java:18) ~[shop.jar!/:1.0]
\t... 40 common frames omitted
Caused by: java.net.ConnectException: Connection refused
\tat java.base/sun.nio.ch.Net.connect0(Native Method)
\tat com.acme.shop.Cart.connect(Cart.java:99)
\t... 42 more`,
    places: ['src/main/java/com/acme/shop/Pay.java:18', 'src/main/java/com/acme/shop/Cart.java:99'],
  },
  {
    name: 'Java, a class of the same name elsewhere',
    text: `java.lang.NullPointerException
\tat com.other.shop.Cart.add(Cart.java:42)
\tat org.acme.shop.Pay.send(Pay.java:3)`,
    places: [],
  },
  {
    name: 'Java, a lambda in a module',
    text: `java.lang.ArithmeticException: / by zero
\tat shop@1.0/com.acme.shop.Pay.lambda$send$0(Pay.java:22)
\tat com.acme.shop.Pay.main(Unknown Source)`,
    places: ['src/main/java/com/acme/shop/Pay.java:22'],
  },
  {
    name: 'Java, the compiler',
    text: `[ERROR] /app/src/main/java/com/acme/shop/Pay.java:[12,5] cannot find symbol
src/main/java/com/acme/shop/Cart.java:3: error: ';' expected`,
    places: ['src/main/java/com/acme/shop/Pay.java:12', 'src/main/java/com/acme/shop/Cart.java:3'],
  },
  // Go
  {
    name: 'Go, a panic',
    text: `panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.total(...)
\t/src/internal/store/store.go:88
main.main()
\t/src/main.go:12 +0x1d
exit status 2`,
    places: ['internal/store/store.go:88', 'main.go:12'],
  },
  {
    name: 'Go, the runtime on top',
    text: `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f1a2]

goroutine 18 [running]:
panic({0x4a5e20?, 0x53d1c0?})
\t/usr/local/go/src/runtime/panic.go:785 +0x132
shop/internal/store.(*Store).Get(0x0, {0x4b1c2e, 0x3})
\t/build/internal/store/store.go:31 +0x22
net/http.HandlerFunc.ServeHTTP(0xc000)
\t/usr/local/go/src/net/http/server.go:2220 +0x29
created by net/http.(*Server).Serve in goroutine 1
\t/go/pkg/mod/example.com/main.go:3360 +0x485`,
    places: ['internal/store/store.go:31'],
  },
  {
    name: 'Go, a command',
    text: `goroutine 7 [chan receive]:
main.wait()
\t/go/src/shop/cmd/shop/main.go:44 +0x65`,
    places: ['cmd/shop/main.go:44'],
  },
  {
    name: 'Go, the compiler',
    text: `internal/store/store.go:3:8: "os" imported and not used
./main.go:9:2: undefined: cart`,
    // Another folder has a main.go as well.
    places: ['internal/store/store.go:3'],
  },
  {
    name: 'Go, loggers',
    text: `2026/11/26 10:00:00 store.go:31: cart is empty
{"level":"error","caller":"store/store.go:12","msg":"no price"}`,
    places: ['internal/store/store.go:31', 'internal/store/store.go:12'],
  },
  // Ruby
  {
    name: 'Ruby',
    text: `/app/lib/cart.rb:12:in 'Cart#add': undefined method 'price' for nil (NoMethodError)
\tfrom /app/app.rb:30:in 'block in <main>'
\tfrom /usr/local/bundle/gems/sinatra-4.1.1/lib/app.rb:1804:in 'Method#call'`,
    places: ['lib/cart.rb:12', 'app.rb:30'],
  },
  {
    name: 'Ruby on Rails',
    text: `NoMethodError (undefined method 'price' for nil):

app/models/pay.rb:9:in 'Pay#total'
lib/cart.rb:3:in 'each'`,
    places: ['app/models/pay.rb:9', 'lib/cart.rb:3'],
  },
  {
    name: 'Ruby 3.3, with backticks',
    text: `app.rb:3:in \`require_relative': cannot load such file -- /app/lib/car (LoadError)
\tfrom app.rb:3:in \`<main>'`,
    places: ['app.rb:3'],
  },
  {
    name: 'Ruby, a syntax error',
    text: "/app/lib/cart.rb:7: syntax error, unexpected end-of-input, expecting `end'",
    places: ['lib/cart.rb:7'],
  },
  // PHP
  {
    name: 'PHP',
    text: `PHP Fatal error:  Uncaught TypeError: Cart::add(): no price in /var/www/html/src/Cart.php:42
Stack trace:
#0 /var/www/html/index.php(12): Cart->add(NULL)
#1 /var/www/html/vendor/slim/slim/index.php(9): run()
#2 {main}
  thrown in /var/www/html/src/Cart.php on line 42`,
    places: ['src/Cart.php:42', 'index.php:12'],
  },
  {
    name: 'PHP, a warning',
    text: 'PHP Warning:  Undefined variable $price in /var/www/html/index.php on line 4',
    places: ['index.php:4'],
  },
  {
    name: 'PHP, Laravel',
    text: `[2026-11-26 10:00:00] production.ERROR: no price {"exception":"[object] (Exception(code: 0): no price at /var/www/app/Http/Controllers/PayController.php:22)
[stacktrace]
#0 /var/www/vendor/laravel/framework/src/Cart.php(54): total()
#1 /var/www/app/Http/Controllers/PayController.php(30): pay()`,
    places: [
      'app/Http/Controllers/PayController.php:22',
      'app/Http/Controllers/PayController.php:30',
    ],
  },
  {
    name: 'PHP, a parse error below a folder with a space',
    text: 'PHP Parse error:  syntax error, unexpected token "}" in /var/www/my shop/src/Cart.php on line 8',
    places: ['src/Cart.php:8'],
  },
  // Rust
  {
    name: 'Rust',
    text: `thread 'main' panicked at src/main.rs:4:5:
no price
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    places: ['src/main.rs:4'],
  },
  {
    name: 'Rust before 1.73',
    text: "thread 'tokio-runtime-worker' panicked at 'no price: None', src/cart.rs:20:13",
    places: ['src/cart.rs:20'],
  },
  {
    name: 'Rust, a backtrace',
    text: `stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:665:5
   1: core::panicking::panic_fmt
             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/src/main.rs:74:14
   2: shop::cart::add
             at ./src/cart.rs:20:13
   3: shop::main
             at /build/src/main.rs:9:5`,
    places: ['src/cart.rs:20', 'src/main.rs:9'],
  },
  {
    name: 'Rust, the compiler',
    text: `error[E0425]: cannot find value \`price\` in this scope
 --> src/store/mod.rs:3:9
  |
3 |         price
  |         ^^^^^ not found in this scope`,
    places: ['src/store/mod.rs:3'],
  },
  {
    name: 'Rust, a dependency',
    text: `stack backtrace:
   4: tokio::runtime::main
             at /usr/local/cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.42.0/src/main.rs:13:5
   5: shop::cart::run
             at ./src/cart.rs:31:5`,
    places: ['src/cart.rs:31'],
  },
];
