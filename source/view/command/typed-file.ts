/** The local file that a person types into a prompt, for what is written about a deployment. */
import type { Deck } from '../../store/deck/deck.ts';
import { type Prompt, promptingDefault } from '../../store/prompts/prompt.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import type { LocalFiles } from '../../store/transfers/local-files.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { promptAgain, type ReportProblem } from './prompt-again.ts';

/** A local file to write. */
export interface FileToWrite {
  readonly local: LocalFiles;
  /** Absolute path. */
  readonly file: string;
  /** True where there is a file already. */
  readonly replaces: boolean;
}

/**
 * Prompts for a local file, by default one with this name in the current folder, until it is one that can be
 * written.
 * @param refusal sentence of what was not done, for text that is no such file.
 */
export function promptFileToWrite(
  deck: Pick<Deck, 'screen' | 'messages' | 'files'>,
  {
    name,
    refusal,
    ...shown
  }: Pick<Prompt, 'label' | 'hints' | 'writes'> & {
    readonly name: string;
    readonly refusal: string;
  },
  submit: (target: FileToWrite, report: ReportProblem) => Promise<void>,
): void {
  const submitText = async (text: string): Promise<void> => {
    const report = promptAgain(deck, prompt, text);
    const { local } = await deck.files.work();
    const typed = await findTypedFile(local, text, name);
    if (typed === undefined) {
      return report({ sentence: 'Enter the path of one file.', next: refusal });
    }
    const { file, status } = typed;
    if (status === 'folder') {
      const problem = { sentence: 'This is a folder.', next: refusal };
      return report(problem, `${file} is a folder. ${refusal}`);
    }
    await submit({ local, file, replaces: status === 'file' }, report);
  };
  const prompt: Prompt = {
    ...shown,
    pathOf: 'machine',
    completions: async (text) => completePath(text, (await deck.files.work()).local, false),
    submit: (text) => void submitText(text),
  };
  deck.screen.overlay.open(promptingDefault(prompt, `./${name}`));
}

/** A local file, and what exists at its place. */
interface TypedFile {
  /** Absolute path. */
  readonly file: string;
  readonly status: 'nothing' | 'file' | 'folder';
}

/**
 * Resolves with the file that a text stands for: the path of a file, or of a folder in which it gets
 * the given name. Undefined where the text is not one path.
 */
export async function findTypedFile(
  local: Pick<LocalFiles, 'home' | 'resolve' | 'statusAt'>,
  text: string,
  name: string,
): Promise<TypedFile | undefined> {
  const [typed, ...others] = parsePaths(text, local.home);
  if (typed === undefined || others.length > 0) return undefined;
  const isFolder =
    typed.endsWith('/') || (await local.statusAt(local.resolve(typed), [])) === 'folder';
  const file = local.resolve(isFolder ? `${typed}/${name}` : typed);
  return { file, status: await local.statusAt(file, []) };
}

/**
 * Returns a name such as `shop-20261121-1203.log`, in local time.
 * @param fallback stands for a deployment whose name has no letters or digits.
 */
export function datedFileName(
  deployment: string,
  extension: string,
  { now, fallback }: { readonly now: number; readonly fallback: string },
): string {
  const date = new Date(now);
  const [day, time] = [
    [date.getFullYear(), date.getMonth() + 1, date.getDate()],
    [date.getHours(), date.getMinutes()],
  ].map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(''));
  const plain = deployment.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${plain === '' ? fallback : plain}-${day}-${time}.${extension}`;
}
