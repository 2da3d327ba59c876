import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type {
  IncidentMaker,
  IncidentRequest,
} from '../../../source/store/incident/incident-maker.ts';
import { promptIncident } from '../../../source/view/incident/write-incident.ts';
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
  const requests: IncidentRequest[] = [];
  const maker: IncidentMaker = {
    collect: async (request) => {
      requests.push(request);
      return { ok: true, incident: smallIncident() };
    },
    pack: async () => Buffer.from('packed'),
  };
  const { deck, foreign } = open;
  const tail = deck.opened.getState().tail;
  const entry = tail?.log.entries.at(0);
  if (entry?.kind === 'line') tail?.reading.marks.toggle(entry);
  deck.messages.say('something happened');
  promptIncident(deck, maker);
  submit(open, 'never');
  expect(messageOf(open)).toContain('No time of the log.');
  submit(open, '10m');
  const file = path.join(temporaryFolder(), 'a.gz');
  submit(open, file);
  await waitFor(() => expect(deck.screen.getState().overlay?.kind).toBe('question'));
  const [request] = requests;
  expect(request).toMatchObject({
    deploymentId: foreign.sample,
    history: [{ text: 'something happened' }, {}],
    marks: [{ deploymentId: foreign.sample }],
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
  promptIncident(open.deck, {
    collect: async () => ({ ok: false, sentence: 'No answer.' }),
    pack: async () => Buffer.alloc(0),
  });
  submit(open, '30m');
  submit(open, path.join(temporaryFolder(), 'a.gz'));
  await waitFor(() => expect(messageOf(open)).toBe('No answer. Nothing was written.'));
});
