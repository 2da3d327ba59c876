import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { IncidentSubject } from '../../../source/store/incident/incident.ts';
import { incidentQuestion, promptIncident } from '../../../source/view/incident/write-incident.ts';
import { smallIncident } from '../../store/incident/incidents.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';

/** Submits the text of the open prompt, as Enter does. */
function submit({ deck }: OpenDeck, text: string): void {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'prompt') throw new Error('no prompt is open');
  deck.screen.overlay.close();
  overlay.prompt.submit(text);
}

const messageOf = ({ deck }: OpenDeck): string => deck.screen.getState().message?.text ?? '';

test(':incident asks for span and file, shows the box, and writes what it collected', async () => {
  await using open = await openDeck();
  const requests: IncidentSubject[] = [];
  const collect = async (request: IncidentSubject) => {
    requests.push(request);
    return {
      ok: true,
      incident: smallIncident(),
      bytes: Buffer.from('packed'),
      isShort: false,
    } as const;
  };
  const { deck, foreign } = open;
  const tail = deck.opened.getState().tail;
  const entry = tail?.log.entries.at(0);
  if (entry?.kind === 'line') tail?.reading.marks.toggle(entry);
  deck.messages.say('something happened');
  promptIncident(deck, collect);
  submit(open, 'never');
  expect(messageOf(open)).toContain('No time of the log.');
  submit(open, '10m');
  const file = path.join(temporaryFolder(), 'a.gz');
  submit(open, file);
  await waitFor(() => expect(deck.screen.getState().overlay?.kind).toBe('question'));
  const [request] = requests;
  expect(request).toMatchObject({
    id: foreign.sample,
    seen: {
      events: [{ text: 'something happened' }, {}],
      marks: [{ deploymentId: foreign.sample }],
    },
  });
  expect((request?.until ?? 0) - (request?.since ?? 0)).toBe(600_000);
  const { overlay } = deck.screen.getState();
  deck.screen.overlay.close();
  if (overlay?.kind === 'question') overlay.question.answer(1);
  await waitFor(() => expect(messageOf(open)).toContain('Wrote the incident'));
  expect(await readFile(file, 'utf8')).toBe('packed');
});

test(':incident reports a failure and a missing service', async () => {
  await using open = await openDeck();
  promptIncident(open.deck, undefined);
  expect(messageOf(open)).toBe('This is an incident file; copy it to give it away.');
  promptIncident(open.deck, async () => ({
    ok: false,
    problem: { sentence: 'No answer.', next: '' },
  }));
  submit(open, '30m');
  submit(open, path.join(temporaryFolder(), 'a.gz'));
  await waitFor(() => expect(messageOf(open)).toBe('No answer. Nothing was written.'));
});

test('the box names span, counts, masked secrets, missing things and the file', () => {
  const now = Date.parse('2026-11-26T04:10:00Z');
  const facts = { masked: { secrets: 2, places: 1201 }, missing: ['No files.', 'A gap.'] };
  const target = { file: '/x/shop.tar.gz', replaces: false };
  const made = { incident: smallIncident(facts), bytes: Buffer.alloc(1500) };
  const { title, lines, options } = incidentQuestion(made, target, now, true);
  expect(title).toBe('write an incident file of shop?');
  expect(lines).toEqual([
    { label: 'Span', values: ['03:30:00 UTC to 04:00:00 UTC'] },
    { label: 'Holds', values: ['1 line, 0 edited files, 0 marks, 0 events'] },
    { label: 'Masked', values: ['2 secrets in 1,201 places'] },
    { label: 'Missing', values: ['No files.', 'A gap.'] },
    { label: 'File', values: ['/x/shop.tar.gz', '1.5 kB'] },
    'No rule knows every secret. Look through the file before you give it away.',
  ]);
  expect(options.map(({ label }) => label)).toEqual(['Cancel', 'Write']);
  const small = { ...made, incident: smallIncident() };
  const replacing = incidentQuestion(small, { ...target, replaces: true }, now, true);
  expect(replacing.lines).toContainEqual({ label: 'Masked', values: ['no secret was found'] });
  expect(replacing.options.at(-1)).toMatchObject({ label: 'Write', destroys: true });
});
