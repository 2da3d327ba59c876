import { describe, expect, it } from 'vitest';
import { findPrivilegedPorts } from '../../source/host/supervisor/admission.ts';
import { Ports, readFirstUserPort } from '../../source/host/runtime/ports.ts';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { deploy, errorIn, readDeployment } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const sdlWith = (service: string) => `
version: "2.0"
services:
  web:
    ${service}
    expose:
      - port: 8080
        as: 80
      - as: 9000
        port: 443
profiles:
  compute: {web: {resources: {}}}
  placement: {here: {pricing: {web: {denom: x, amount: 1}}}}
deployment: {web: {here: {profile: web}}}
`;

const sentence =
  'Service web listens on port 443, and this system keeps ports below 1024 ' +
  '(net.ipv4.ip_unprivileged_port_start) from users. Listen on a higher port, and name 443 with ' +
  '"as" where callers expect it.';

describe('a port that the system keeps from users', () => {
  const service = sharedHost({ firstUserPort: 1024 });
  const owner = service.as('0xowner');

  it('is refused at its line for a command', async () => {
    const json = { sdl: sdlWith('command: [sleep, "60"]') };
    expect(errorIn(await owner.call('createDeployment', { json }))).toMatchObject({
      status: 422,
      message: `SDL line 10, column 9: ${sentence}`,
      details: [
        { field: 'services.web.expose', expected: 'a port of 1024 or above', line: 10, column: 9 },
      ],
    });
  });

  it('is a port of their own for containers, and may be had where the system lets users', () => {
    const servicesIn = (text: string) => {
      const parsed = parseSdl(text);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
      return parsed.definition.services;
    };
    expect(findPrivilegedPorts(servicesIn(sdlWith('image: nginx')), 1024)).toEqual([]);
    const commands = servicesIn(sdlWith('command: [a]'));
    expect(findPrivilegedPorts(commands, 443)).toEqual([]);
    expect(findPrivilegedPorts(commands, 444)).toHaveLength(1);
  });

  it('is never assigned to a service, even by a host that may have it', async () => {
    const ports = new Ports(1024);
    expect(await ports.claim(80)).toBeGreaterThanOrEqual(1024);
    const sdl = JSON.parse(sdlOf({ web: { ...idle, port: 8080 } })) as {
      services: { web: { expose: { as?: number }[] } };
    };
    for (const each of sdl.services.web.expose) each.as = 80;
    const { id } = await deploy(owner, JSON.stringify(sdl));
    await waitFor(async () => {
      const [port = 0] = (await readDeployment(owner, id)).services[0]?.ports ?? [];
      expect(port).toBeGreaterThanOrEqual(1024);
    });
  });

  it('is known from the system', () => {
    const first = readFirstUserPort();
    expect(Number.isInteger(first) && first >= 0 && first <= 65_536).toBe(true);
  });
});
