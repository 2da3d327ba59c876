import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type ControlHandlers, ControlServer } from '../../../source/host/control/control.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('listens no more where its socket can not be placed, so that the host can end', async () => {
  const folder = temporaryFolder();
  const socket = path.join(folder, 'host.sock');
  mkdirSync(path.join(socket, 'in the way'), { recursive: true });
  await expect(ControlServer.listen(socket, {} as ControlHandlers)).rejects.toThrow('rename');
  const client = connect(path.join(folder, '.host', 's'));
  await expect(once(client, 'connect')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});
