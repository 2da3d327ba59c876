import { createStateEntry } from './state-entry.ts';

/** The deployment that was opened last, for each service. */
export interface LastOpened {
  read(): string | undefined;
  write(id: string): Promise<void>;
}

/** Stores the id in `opened.json` of the state folder, by service. */
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
