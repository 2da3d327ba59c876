/**
 * A setup file of tests: writes which functions of `source/` each test file calls. A worker runs many test
 * files (`isolate: false`), so what one of them calls is what V8 has counted since the one before.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { type Debugger, type Profiler, Session } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import type { Calls } from './covering-tests.ts';
import { functionsOf, parsed, type Range } from './syntax.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns the path of a module of `source/` in the repository; undefined for any other script. */
function moduleOf(url: string): string | undefined {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  return file.startsWith(`${root}/source/`) ? path.relative(root, file) : undefined;
}

/** A function that vitest adds to a module, for a name that it exports. */
const exporting = /^\(\) => \{ try \{ return [^}]* \} catch \{\} \}$/;

/** A module as it was evaluated: its functions, by where they end, and the same ones in its own text. */
class EvaluatedModule {
  readonly #pairs: readonly { readonly evaluated: Range; readonly own: Range }[];

  constructor(module: string, evaluated: string) {
    const all = functionsOf(parsed(evaluated, false));
    // Vitest puts a function around a module; Node, which reads some for it, does not.
    const inside = evaluated.startsWith("'use strict';async (__vi") ? all.slice(1) : all;
    const functions = inside.filter(([start, end]) => !exporting.test(evaluated.slice(start, end)));
    const text = readFileSync(path.join(root, module), 'utf8');
    const own = functionsOf(parsed(text, module.endsWith('x')));
    if (own.length !== functions.length) {
      throw new Error(`${module}: ${own.length} functions, ${functions.length} evaluated`);
    }
    this.#pairs = functions.map((each, index) => ({ evaluated: each, own: own[index] ?? [0, 0] }));
  }

  /** Returns the place of an evaluated function in the module; none for one that the text lacks. */
  functionAt({ startOffset, endOffset }: Profiler.CoverageRange): readonly Range[] {
    // A method begins with its name for V8, and with its parameters in a syntax tree.
    const found = this.#pairs.find(
      ({ evaluated: [start, end] }) => end === endOffset && start >= startOffset,
    );
    return found === undefined ? [] : [found.own];
  }
}

/** The counters of this worker, and the modules that it has evaluated. */
class CallRecorder {
  readonly #session = new Session();
  readonly #modules = new Map<string, EvaluatedModule>();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Returns the functions that were called since the last time, by their modules. */
  take(): Calls {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      scripts = result.filter(({ url }) => moduleOf(url) !== undefined);
    });
    if (scripts.some(({ scriptId }) => !this.#modules.has(scriptId))) this.#readModules();
    const calls: Record<string, readonly Range[]> = {};
    for (const { scriptId, url, functions } of scripts) {
      const called = functions.flatMap(({ ranges: [whole] }) =>
        whole === undefined || whole.count === 0
          ? []
          : (this.#modules.get(scriptId)?.functionAt(whole) ?? []),
      );
      const module = moduleOf(url);
      if (module !== undefined && called.length > 0) calls[module] = called;
    }
    return calls;
  }

  #readModules(): void {
    const parsed: Debugger.ScriptParsedEventDataType[] = [];
    const see = ({ params }: { readonly params: Debugger.ScriptParsedEventDataType }): void => {
      if (moduleOf(params.url) !== undefined) parsed.push(params);
    };
    this.#session.on('Debugger.scriptParsed', see);
    this.#session.post('Debugger.enable');
    for (const script of parsed) {
      if (!this.#modules.has(script.scriptId)) this.#readModule(script);
    }
    this.#session.post('Debugger.disable');
    this.#session.off('Debugger.scriptParsed', see);
  }

  #readModule({ scriptId, url }: Debugger.ScriptParsedEventDataType): void {
    const module = moduleOf(url);
    if (module === undefined) return;
    this.#session.post('Debugger.getScriptSource', { scriptId }, (_error, { scriptSource }) => {
      this.#modules.set(scriptId, new EvaluatedModule(module, scriptSource));
    });
  }
}

const shared = globalThis as { hostdeckCalls?: CallRecorder };
const recorder = (shared.hostdeckCalls ??= new CallRecorder());

afterAll(() => {
  const test = path.relative(root, expect.getState().testPath ?? '');
  const line = JSON.stringify({ test, calls: recorder.take() });
  appendFileSync(process.env['HOSTDECK_CALLS'] ?? '', `${line}\n`);
});
