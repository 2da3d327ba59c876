/**
 * A foreign service in a process of its own with 10,000 deployments and 10,000 grants:
 * `deployments-server.ts ANSWERS`, where ANSWERS says whether each listing is the `same` again or
 * every record of it has `changed`. Prints its address.
 */
import type { ForeignDeployment } from '../servers/foreign/deployments.ts';
import { foreignDefaults } from '../servers/foreign/options.ts';
import { startForeign } from '../servers/foreign.ts';

const many = 10_000;
const day = 86_400_000;
const changes = process.argv[2] === 'changed';
const foreign = await startForeign({ ...foreignDefaults, services: 'objects' });
const deployments = foreign.deployments as Map<string, ForeignDeployment>;
const first = deployments.get(foreign.sample);
if (first === undefined) throw new Error('the service has no sample');
const statuses = ['running', 'rolling', 'stopped'] as const;
for (let index = 1; index < many; index += 1) {
  // In no order, and old enough that no age changes its text.
  const number = (index * 7919) % many;
  const id = `${String(index).padStart(8, '0')}-aaaa-4bbb-8ccc-ddddeeee-${index}`;
  deployments.set(id, {
    ...first,
    id,
    title: `shop-${number}`,
    status: statuses[number % 3] ?? 'running',
    createdAt: new Date(Date.now() - (number + 1.5) * day).toISOString(),
  });
}
for (let index = 0; index < many; index += 1) {
  const number = (index * 7919) % many;
  foreign.grants.set(`grant-${index}`, {
    id: `grant-${index}`,
    grantor: foreign.wallet,
    grantee: `cosmos1partner${String(number).padStart(6, '0')}`,
    limit: 100,
    spent: number % 101,
    expiresAt: new Date(Date.now() + (number + 1.5) * day).toISOString(),
    createdAt: new Date(Date.now() - 40.5 * day).toISOString(),
  });
}
if (changes) {
  setInterval(() => {
    for (const deployment of foreign.deployments.values()) deployment.restarts += 1;
    for (const grant of foreign.grants.values()) grant.spent = (grant.spent + 1) % 101;
  }, 1000);
}
process.stdout.write(`${foreign.baseUrl}\n`);
