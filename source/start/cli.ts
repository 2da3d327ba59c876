#!/usr/bin/env node
import './check-platform.ts';
import { keepCompiledCode } from './compile-cache.ts';
import { paintFirstFrame } from './first-frame.ts';
import { startCodeCache } from './code-cache.ts';
import { plainConsole } from './plain-arguments.ts';
import { drawingObstacle, isScreenReader, terminalTraits } from '../terminal/traits.ts';

const { isatty } = process.getBuiltinModule('node:tty');
const entry = import.meta.filename;
const argv = process.argv.slice(2);
const wanted = isatty(0) && isatty(1) ? plainConsole(argv) : undefined;
/** The first frame needs the alternate screen: without it a failed start could not remove the frame. */
const hasScreen =
  wanted?.screenReader === false &&
  drawingObstacle(process.env) === undefined &&
  !isScreenReader(process.env) &&
  terminalTraits(process.env).alternateScreen;
const frame = hasScreen ? paintFirstFrame(wanted, process.env) : undefined;

const onStarted = startCodeCache(keepCompiledCode(process.env));

/** Tells why the program can't start; once it has started, other listeners tell of errors. */
function tellFailedStart(error: unknown): void {
  if (process.listeners('uncaughtException').at(-1) !== tellFailedStart) return;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`hostdeck could not start: ${message.replaceAll(/[^\x20-\x7e]+/g, ' ')}\n`);
  process.exit(1);
}

if (wanted === undefined) {
  process.on('uncaughtException', tellFailedStart);
  const { runCommandLine } = await import('./command-line.ts');
  process.exitCode = await runCommandLine(argv, entry);
} else {
  const { run } = await import('./run.ts');
  process.exitCode = await run({ kind: 'console', ...wanted }, entry, frame, onStarted);
}
