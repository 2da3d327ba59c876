/** Asks before a command destroys, replaces or spends something. */
import { sanitize } from '../../terminal/screen/sanitize.ts';
import {
  CommandFailure,
  type CommandProblem,
  failureProblem,
  usageProblem,
} from '../command-problem.ts';

/** A question to the person. */
export interface CommandQuestion {
  /** Lines that tell what will happen; raw text. */
  readonly facts: readonly string[];
  /** Question without the keys of its answer, such as `Close shop?` */
  readonly question: string;
  /** Text to type instead of `y`, for what can't be undone. */
  readonly typed?: string | undefined;
}

/** The way of a command to ask. */
export interface Confirm {
  /** Whether there is a terminal to ask on, apart from stdin and stdout. */
  readonly canAsk: () => boolean;
  /**
   * Resolves when the person agrees, and at once with `--yes`. Rejects with a `CommandFailure` without
   * a terminal, and for another answer.
   */
  readonly ask: (question: CommandQuestion) => Promise<void>;
}

/** A terminal to ask on. */
export interface AskingTerminal {
  /** Writes text that is safe. */
  write(text: string): void;
  /** Resolves with the next line, without its end; undefined at its end or when aborted. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Returns the prompt of a question and whether an answer to it agrees. */
function promptOf({ question, typed }: CommandQuestion): {
  readonly prompt: string;
  readonly agrees: (answer: string) => boolean;
} {
  return typed === undefined
    ? { prompt: `${question} [y/N] `, agrees: (answer) => /^y(?:es)?$/i.test(answer.trim()) }
    : {
        prompt: `${question} Type ${typed} to confirm: `,
        agrees: (answer) => answer.trim() === typed,
      };
}

/** Returns the problem of a question that nobody can answer. */
function unaskedProblem({ question }: CommandQuestion): CommandProblem {
  return usageProblem(`${question} There is no terminal to ask on.`, 'Confirm with --yes.');
}

/** Returns the problem of an answer that does not agree. */
function declinedProblem(): CommandProblem {
  return failureProblem('Cancelled. Nothing was changed.', '', 'cancelled');
}

export interface ConfirmOptions {
  /** True with `--yes`. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
  /** Opens the terminal; undefined where there is none. */
  readonly open: () => AskingTerminal | undefined;
}

/** Creates the way to ask, on a terminal that is opened for each question. */
export function createConfirm({ yes, signal, open }: ConfirmOptions): Confirm {
  return {
    canAsk() {
      const terminal = open();
      terminal?.close();
      return terminal !== undefined;
    },
    async ask(question) {
      if (yes) return;
      const terminal = open();
      if (terminal === undefined) throw new CommandFailure(unaskedProblem(question));
      const { prompt, agrees } = promptOf(question);
      try {
        for (const fact of question.facts) terminal.write(`${sanitize(fact)}\n`);
        terminal.write(sanitize(prompt));
        const answer = await terminal.readLine(signal);
        if (answer === undefined) terminal.write('\n');
        if (answer === undefined || !agrees(answer)) throw new CommandFailure(declinedProblem());
      } finally {
        terminal.close();
      }
    },
  };
}
