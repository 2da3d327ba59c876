/** Collects an incident, shows in a box what the file would hold, and writes it (`:incident`). */
import type { Deck } from '../../store/deck/deck.ts';
import type { IncidentMaker } from '../../store/incident/incident-maker.ts';
import type { Incident } from '../../store/incident/incident.ts';
import { parseMoment } from '../../store/log/reader/moment.ts';
import { isUtcFormat } from '../../store/log/times.ts';
import { type Prompt, promptingDefault } from '../../store/prompts/prompt.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import type { LocalFiles } from '../../store/transfers/local-files.ts';
import { writeLocalFile } from '../../store/transfers/write-file.ts';
import { confirm } from '../command/confirm.ts';
import { promptAgain, type ReportProblem } from '../command/prompt-again.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { mayTransfer } from '../command/run-transfer.ts';
import { datedFileName, findTypedFile } from '../command/typed-file.ts';
import { incidentQuestion } from './facts.ts';

/** The stores that writing an incident needs. */
type Handles = Pick<
  Deck,
  'clock' | 'screen' | 'messages' | 'deployments' | 'lists' | 'opened' | 'files' | 'history'
>;

interface Collecting {
  readonly maker: IncidentMaker;
  readonly deploymentId: string;
  readonly since: number;
  readonly until: number;
}

const defaultSpan = '30m';
const nothingWritten = 'Nothing was written.';

/** Prompts for the span, then for the file, and shows the box. */
export function promptIncident(deck: Handles, maker: IncidentMaker | undefined): void {
  if (maker === undefined) {
    return deck.messages.say('This is an incident file; copy it to give it away.');
  }
  const deploymentId = deploymentUnderCursor(deck);
  if (deploymentId === undefined) return deck.messages.say('Open a deployment first.');
  if (!mayTransfer(deck)) return;
  const prompt: Prompt = {
    label: `Incident of ${deck.deployments.label(deploymentId)} since: `,
    hints: [
      ['Enter', 'next'],
      ['30m', 'a span'],
      ['12:01', 'a time'],
      ['Esc', 'cancel'],
    ],
    submit(text) {
      const until = deck.clock.serviceNow();
      const read = parseMoment(text, until, isUtc(deck));
      const report = promptAgain(deck, prompt, text);
      if (!read.ok) return report({ sentence: 'No time of the log.', next: read.problem });
      if (read.at >= until) return report({ sentence: 'This time is not over.', next: '' });
      promptFile(deck, { maker, deploymentId, since: read.at, until });
    },
  };
  deck.screen.overlay.open(promptingDefault(prompt, defaultSpan));
}

function promptFile(deck: Handles, collecting: Collecting): void {
  const name = datedFileName(deck.deployments.label(collecting.deploymentId), 'incident.gz', {
    now: deck.clock.now(),
    fallback: 'deployment',
  });
  const prompt: Prompt = {
    pathOf: 'machine',
    label: 'Incident file: ',
    hints: [
      ['Enter', 'collect'],
      ['Tab', 'complete'],
      ['Esc', 'cancel'],
    ],
    completions: async (text) => completePath(text, (await deck.files.work()).local, false),
    submit(text) {
      void collectTo(deck, collecting, text, name, promptAgain(deck, prompt, text));
    },
  };
  deck.screen.overlay.open(promptingDefault(prompt, `./${name}`));
}

async function collectTo(
  deck: Handles,
  { maker, ...span }: Collecting,
  text: string,
  name: string,
  report: ReportProblem,
): Promise<void> {
  const { local } = await deck.files.work();
  const typed = await findTypedFile(local, text, name);
  if (typed === undefined) {
    return report({ sentence: 'Enter the path of one file.', next: nothingWritten });
  }
  const { file } = typed;
  const isTaken = typed.status === 'file';
  if (!mayTransfer(deck)) return;
  const controller = new AbortController();
  const progress = { linesDone: 0, lines: 0 };
  const cancel = (): void => controller.abort();
  deck.screen.message.clear();
  deck.screen.transfer.show({ verb: 'Collecting', progress, cancel });
  const collected = await maker
    .collect({ ...span, ...seenBy(deck, span.deploymentId), signal: controller.signal })
    .finally(() => deck.screen.transfer.end());
  if (controller.signal.aborted) return deck.messages.say(`Cancelled. ${nothingWritten}`);
  if (!collected.ok) return deck.messages.say(`${collected.sentence} ${nothingWritten}`, 'bad');
  await askAndWrite(deck, maker, collected.incident, { local, file, isTaken });
}

interface Target {
  readonly local: LocalFiles;
  readonly file: string;
  readonly isTaken: boolean;
}

async function askAndWrite(
  deck: Handles,
  maker: IncidentMaker,
  incident: Incident,
  { local, file, isTaken }: Target,
): Promise<void> {
  const bytes = await maker.pack(incident);
  const target = { file, size: bytes.length, isTaken };
  const question = incidentQuestion(incident, target, deck.clock.now(), isUtc(deck));
  if ((await confirm(deck, question)) !== 1) return deck.messages.say(nothingWritten);
  const reason = await writeLocalFile(local, { file, replaces: isTaken }, bytes);
  if (reason !== undefined) {
    return deck.messages.say(`Can't write ${file}: ${reason}. ${nothingWritten}`, 'bad');
  }
  deck.messages.say(`Wrote the incident to ${file}. hostdeck open shows it.`, 'good');
}

/** Returns the history of this console, and the lines that are marked in the log of the deployment. */
function seenBy({ history, opened }: Handles, deploymentId: string) {
  const { tail } = opened.getState();
  const isOpen = tail?.deploymentIds.includes(deploymentId) === true;
  const marks = isOpen ? [...tail.reading.marks.state.getState().values()] : [];
  const isOther = (of: string | undefined): boolean => of !== undefined && of !== deploymentId;
  return {
    history: history.entries.getState(),
    marks: marks.filter((line) => !isOther(line.deploymentId)),
  };
}

function isUtc({ screen }: Pick<Deck, 'screen'>): boolean {
  return isUtcFormat(screen.getState().times);
}
