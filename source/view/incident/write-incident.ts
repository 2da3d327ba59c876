/** Collects an incident, shows in a box what the file would hold, and writes it (`:incident`). */
import type { Deck } from '../../store/deck/deck.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import type { Incident, IncidentMaker, IncidentSubject } from '../../store/incident/incident.ts';
import { parseMoment } from '../../store/log/reader/moment.ts';
import { isUtcFormat, momentText } from '../../store/log/times.ts';
import type { Confirmation } from '../../store/prompts/confirm.ts';
import { type Prompt, promptingDefault } from '../../store/prompts/prompt.ts';
import { writeLocalFile } from '../../store/transfers/write-file.ts';
import { confirm } from '../command/confirm.ts';
import { promptAgain } from '../command/prompt-again.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { mayTransfer } from '../command/run-transfer.ts';
import { datedFileName, type FileToWrite, promptFileToWrite } from '../command/typed-file.ts';
import { historyText } from '../history/rows.ts';
import { formatCount } from '../text/amount.ts';

const defaultSpan = '30m';
const nothingWritten = 'Nothing was written.';

/** Prompts for the span, then for the file, and shows the box. */
export function promptIncident(deck: Deck, collect: IncidentMaker | undefined): void {
  if (collect === undefined) {
    return deck.messages.say('This is an incident file; copy it to give it away.');
  }
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return deck.messages.say('Open a deployment first.');
  if (!mayTransfer(deck)) return;
  const prompt: Prompt = {
    label: `Incident of ${deck.deployments.label(id)} since: `,
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
      promptFile(deck, collect, { id, since: read.at, until });
    },
  };
  deck.screen.overlay.open(promptingDefault(prompt, defaultSpan));
}

function promptFile(deck: Deck, collect: IncidentMaker, subject: IncidentSubject): void {
  const name = datedFileName(deck.deployments.label(subject.id), 'tar.gz', {
    now: deck.clock.now(),
    fallback: 'deployment',
  });
  const hints = [
    ['Enter', 'collect'],
    ['Tab', 'complete'],
    ['Esc', 'cancel'],
  ] as const;
  const prompt = { label: 'Incident file: ', hints, name, refusal: nothingWritten };
  promptFileToWrite(deck, prompt, (target) => collectAndWrite(deck, collect, subject, target));
}

async function collectAndWrite(
  deck: Deck,
  collect: IncidentMaker,
  subject: IncidentSubject,
  target: FileToWrite,
): Promise<void> {
  const { screen, messages, clock } = deck;
  if (!mayTransfer(deck)) return;
  const controller = new AbortController();
  const { signal } = controller;
  screen.message.clear();
  screen.transfer.show({
    verb: 'Collecting',
    progress: { linesDone: 0, lines: 0 },
    cancel: () => controller.abort(),
  });
  const seen = seenBy(deck, subject.id);
  const made = await collect({ ...subject, seen, signal }).finally(() => screen.transfer.end());
  if (signal.aborted) return messages.say(`Cancelled. ${nothingWritten}`);
  if (!made.ok) {
    const { sentence, next } = made.problem ?? { sentence: 'Cancelled.', next: '' };
    return messages.say(`${sentence} ${next} ${nothingWritten}`.replace('  ', ' '), 'bad');
  }
  const question = incidentQuestion(made, target, clock.now(), isUtc(deck));
  if ((await confirm(deck, question)) !== 1) return messages.say(nothingWritten);
  const { local, file } = target;
  const reason = await writeLocalFile(local, target, made.bytes);
  if (reason === undefined) {
    messages.say(`Wrote the incident to ${file}. hostdeck open shows it.`, 'good');
  } else messages.say(`Can't write ${file}: ${reason}. ${nothingWritten}`, 'bad');
}

/** Returns the history of this console, and the lines that are marked in the log of the deployment. */
function seenBy({ history, opened }: Deck, id: string): NonNullable<IncidentSubject['seen']> {
  const { tail } = opened.getState();
  const isOpen = tail?.deploymentIds.includes(id) === true;
  const marks = isOpen ? [...tail.reading.marks.state.getState().values()] : [];
  const events = history.entries
    .getState()
    .map((entry) => ({ at: entry.at, text: historyText(entry) }));
  return { events, marks: marks.filter(({ deploymentId = id }) => deploymentId === id) };
}

/** Returns the question whether to write an incident. @param now ms since the epoch; the clock of its times. */
export function incidentQuestion(
  { incident, bytes }: { readonly incident: Incident; readonly bytes: Uint8Array },
  { file, replaces }: Pick<FileToWrite, 'file' | 'replaces'>,
  now: number,
  utc: boolean,
): Omit<Confirmation, 'answer'> {
  const { facts, lines, diffs, marks } = incident;
  const { masked, missing } = facts;
  const [from, to] = [facts.from, facts.to].map((time) => momentText(Date.parse(time), now, utc));
  const counts = [
    countText(lines.length, 'line'),
    countText(diffs.length, 'edited file'),
    countText(marks.length, 'mark'),
    countText(facts.events.length, 'event'),
  ];
  const [first, ...others] = missing;
  const secrets = `${countText(masked.secrets, 'secret')} in ${countText(masked.places, 'place')}`;
  return {
    title: `write an incident file of ${facts.deploymentName}?`,
    lines: [
      { label: 'Span', values: [`${from} to ${to}`] },
      { label: 'Holds', values: [counts.join(', ')] },
      { label: 'Masked', values: [masked.secrets === 0 ? 'no secret was found' : secrets] },
      ...(first === undefined ? [] : [{ label: 'Missing', values: [first, ...others] } as const]),
      {
        label: 'File',
        values: [file, `${formatBytes(bytes.length)}${replaces ? ', replaces the file' : ''}`],
      },
      'No rule knows every secret. Look through the file before you give it away.',
    ],
    options: [
      { label: 'Cancel', meaning: 'writes nothing' },
      {
        label: 'Write',
        meaning: replaces ? 'replaces the file' : 'writes the file',
        destroys: replaces,
      },
    ],
    escape: 'cancel',
  };
}

function countText(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function isUtc({ screen }: Deck): boolean {
  return isUtcFormat(screen.getState().times);
}
