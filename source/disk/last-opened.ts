import { createStateEntry } from './state-entry.ts';

/** Remembers which deployment was opened last, for each service the console talks to. */
export interface LastOpened {
  read(): string | undefined;
  write(id: string): Promise<void>;
}

/** Keeps it in `opened.json` of the state folder, by service. */
export function createLastOpened(stateFolder: string, service: string): LastOpened {
  const entry = createStateEntry(stateFolder, 'opened.json', service);
  return {
    read() {
      const id = entry.read();
      return typeof id === 'string' ? id : undefined;
    },
    write: (id) => entry.write(id),
  };
}
