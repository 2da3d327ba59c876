/** The output of a `hostdeck host …` command. */
export interface HostOutput {
  /** Prints a line of the result to stdout. */
  print(line: string): void;
  /** Prints a line of diagnostics to stderr. */
  printNote(line: string): void;
}
