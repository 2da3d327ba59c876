import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { createDeployment } from './foreign-console.ts';
import { Home } from './harness-home.ts';

/** Two services, and a home whose configuration has a profile for each: `blue` and `prod`. */
export interface TwoServices extends AsyncDisposable {
  readonly home: Home;
  readonly blue: Foreign;
  readonly prod: Foreign;
}

/** Starts both with a deployment of their names; `settings` are further lines of the profile `prod`. */
export async function startTwoServices(settings = ''): Promise<TwoServices> {
  const [blue, prod] = await Promise.all([startForeign(), startForeign()]);
  await createDeployment(blue, 'bluebird');
  await createDeployment(prod, 'shopfront');
  const home = new Home();
  const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
  mkdirSync(folder);
  for (const [name, { token }] of Object.entries({ blue, prod })) {
    writeFileSync(path.join(folder, `${name}.token`), `${token}\n`, { mode: 0o600 });
  }
  writeFileSync(
    path.join(folder, 'config.yaml'),
    `profiles:
  blue: { baseUrl: '${blue.baseUrl}', tokenFile: blue.token }
  prod: { baseUrl: '${prod.baseUrl}', tokenFile: prod.token, ${settings} }
`,
  );
  return {
    home,
    blue,
    prod,
    async [Symbol.asyncDispose]() {
      home.remove();
      await Promise.all([blue.close(), prod.close()]);
    },
  };
}
