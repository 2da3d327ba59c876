import { PassThrough, Readable } from 'node:stream';
import { createClient } from '../../source/client/client.ts';
import { exitOf } from '../../source/commands/command-problem.ts';
import { createConfirm } from '../../source/commands/confirm/confirm.ts';
import { createCommandOutput } from '../../source/commands/output/command-output.ts';
import type { AlertRule } from '../../source/store/alerts/rule.ts';
import type { CommandContext } from '../../source/commands/table/command-context.ts';
import { commandTable } from '../../source/commands/table/command-table.ts';
import { parseCommand } from '../../source/commands/table/parse-command.ts';
import type { Foreign } from '../servers/foreign.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { systemClock } from '../support/system-clock.ts';

/** The end of a command: its exit code, and all that it wrote. */
export interface CommandEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** Questions on the terminal, with the facts before them. */
  readonly asked: string;
  readonly code: number;
}

export interface CommandRun {
  readonly input?: string;
  readonly cwd?: string;
  /** Folder of pending restarts; by default a temporary one. */
  readonly state?: string;
  /** Lines that a person types at the questions; without them there is no terminal. */
  readonly answers?: readonly string[];
  readonly editText?: CommandContext['editText'];
  /** Alert rules of the configuration; none by default. */
  readonly rules?: readonly AlertRule[];
  /** Interrupts the command. */
  readonly signal?: AbortSignal;
  /** Called with what the command writes to stdout. */
  readonly onOutput?: (text: string) => void;
  /** Called with what it writes to stderr. */
  readonly onNote?: (text: string) => void;
  /** Seconds of a proof. */
  readonly proof?: number;
}

const never = (): never => {
  throw new Error('not expected');
};

/** Runs a command with a service in this process, its output in pipes. */
export async function runCommand(
  foreign: Pick<Foreign, 'baseUrl' | 'token'>,
  argv: readonly string[],
  {
    input = '',
    cwd = '/',
    state = temporaryFolder(),
    answers,
    editText = never,
    proof,
    rules,
    signal = new AbortController().signal,
    onOutput,
    onNote,
  }: CommandRun = {},
): Promise<CommandEnd> {
  const parsed = parseCommand(argv, commandTable);
  if (parsed.kind !== 'command' || parsed.command.kind !== 'service') {
    throw new Error(JSON.stringify(parsed));
  }
  const { options, words, command, connection } = parsed;
  const [stdout, stderr] = [collectText(), collectText()];
  stdout.stream.on('data', (chunk: Buffer) => onOutput?.(chunk.toString()));
  stderr.stream.on('data', (chunk: Buffer) => onNote?.(chunk.toString()));
  const waiting = [...(answers ?? [])];
  let asked = '';
  const terminal = {
    write: (text: string) => void (asked += text),
    readLine: async () => waiting.shift(),
    close: () => {},
  };
  const { baseUrl, token } = foreign;
  const client = createClient({ baseUrl, token });
  const shared = { stdout: stdout.stream, stderr: stderr.stream, isTerminal: false, columns: 80 };
  try {
    const output = createCommandOutput({
      ...shared,
      ...options,
      now: () => systemClock.now(),
      signal,
    });
    const run = await command.run();
    const ended = run(
      {
        ...shared,
        options,
        commands: commandTable,
        version: '0',
        env: {},
        folders: { data: '/', state, config: '/' },
        home: '/',
        cwd,
        stdin: () => Readable.from([Buffer.from(input)]),
        clock: systemClock,
        signal,
        output,
        confirm: createConfirm({
          yes: options.yes,
          signal,
          open: () => (answers === undefined ? undefined : terminal),
        }),
        editText,
        client,
        service: {
          baseUrl,
          token,
          profile: { name: 'foreign', production: false, host: client.host, wallet: undefined },
          isReadOnly: false,
          isLocal: false,
          stateKey: 'foreign',
          restartDelay: undefined,
          alerts: rules,
          proofSeconds: proof,
          flags: connection,
          logMemory: { ok: true, value: {} },
        },
      },
      words,
    );
    const code = await exitOf(ended, (problem) => output.fail(problem));
    return { stdout: stdout.text(), stderr: stderr.text(), asked, code };
  } finally {
    await client.close();
  }
}

function collectText(): { readonly stream: PassThrough; readonly text: () => string } {
  // A pipe copies the bytes that are written to it; the writer may reuse their memory.
  const stream = new PassThrough({
    transform(piece: Buffer, _, done) {
      done(null, Buffer.from(piece));
    },
  });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
