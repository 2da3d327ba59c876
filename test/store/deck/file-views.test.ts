import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { rememberFileViews } from '../../../source/store/deck/file-views.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import type { FilesPlace } from '../../../source/store/files/files.ts';

test('a filter and marks of Files belong to the service they were made in', () => {
  const screen = createScreenStore();
  const state = createStore<{ place: FilesPlace | undefined }>(() => ({ place: undefined }));
  const end = rememberFileViews({ state }, screen);
  const show = (deploymentId: string, service: string) =>
    state.setState({ place: { deploymentId, service } });
  const seen = () => [screen.getState().filters.files, ...screen.getState().marks];
  show('shop', 'web');
  screen.listViews.setFilter('files', 'yaml');
  screen.listViews.setFileMarks(new Set(['app.yaml']));
  screen.listViews.setFilter('deployments', 'shop');
  show('shop', 'worker');
  expect(seen()).toEqual(['']);
  show('other', 'web');
  expect(seen()).toEqual(['']);
  state.setState({ place: undefined });
  expect(seen()).toEqual(['']);
  show('shop', 'web');
  expect(seen()).toEqual(['yaml', 'app.yaml']);
  expect(screen.getState().filters.deployments).toBe('shop');
  end();
});
