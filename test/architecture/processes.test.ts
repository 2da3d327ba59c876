import { expect, test } from 'vitest';
import { sharedRooms } from '../../.config/shared-process.ts';
import { sources, tests, textOf, withoutComments } from './sources.ts';

/** Changes that the next test file of a process would notice. */
const changes =
  /process\.env(?:\.\w+|\[[^\]]+\])\s*\??\??=[^=]|process\.(?:chdir|umask|on|once)\(|delete process\.env|vi\.(?:mock|doMock|stub\w+|useFakeTimers|setSystemTime)\(|configureGlobal\(|setFlagsFromString\(|(?:defineProperty|assign)\((?:globalThis|process)\b|\bglobalThis[.[][^=\n]*[^=!<>]=[^=>]|\.prototype[.[][^=\n]*[^=!<>]=[^=>]/;

const isShared = (file: string): boolean =>
  sharedRooms.some((room) => file.startsWith(`test/${room}/`)) && /\.tsx?$/.test(file);

test('tests that share a process leave it as it was', () => {
  const found = tests.filter(
    (file) => isShared(file) && changes.test(withoutComments(textOf(file))),
  );
  expect(found).toEqual([]);
});

/** Modules that keep what they compute from what they are asked for, or empty it themselves. */
const caches: ReadonlySet<string> = new Set([
  'source/client/stream/stream-socket.ts',
  'source/disk/console-mark.ts',
  'source/host/runtime/carriers.ts',
  'source/host/server/http-date.ts',
  'source/store/files/tree.ts',
  'source/tail/query/byte-search.ts',
  'source/terminal/screen/cell-parser.ts',
  'source/terminal/screen/cell-row.ts',
  'source/terminal/screen/graphemes.ts',
  'source/terminal/screen/sanitize.ts',
  'source/view/editor/diff-lines.ts',
  'source/view/ink/output.ts',
]);

/** The only module that is set, by the mount of the whole console. */
const setModule = 'source/terminal/screen/cells.ts';
const setting = /\bsetEllipsis\b|shell\/mount\.tsx/;

/** Programs of their own. */
const programs = /^source\/(?:start|host\/sample)\//;

test('modules that they share keep nothing that a test sets', () => {
  const keeping = sources.filter(
    (file) => !programs.test(file) && /^(?:export )?let /m.test(withoutComments(textOf(file))),
  );
  expect(keeping.filter((file) => !caches.has(file))).toEqual([setModule]);
  expect(tests.filter((file) => isShared(file) && setting.test(textOf(file)))).toEqual([]);
});
