/** Comment of a template's sample program, which an uploaded file can replace. */
const ownProgram = `    # Replace this program with an uploaded file: ["server.js"].
`;

function webService(): string {
  return `    command: ["node"]
${ownProgram}    args:
      - --eval
      - |
        const { createServer } = require('node:http');
        createServer((request, response) => {
          console.log(request.method, request.url);
          response.end('Hello.\\n');
        }).listen(process.env.PORT ?? 8080, () => console.log('web listens'));
    env:
      - GREETING=Hello
    expose:
      - port: 8080
        as: 80
        to:
          - global: true
`;
}

function workerService(): string {
  return `    command: ["node"]
${ownProgram}    args:
      - --eval
      - |
        let job = 0;
        console.log('worker starts');
        setInterval(() => console.log('job', (job += 1), 'done'), 5000);
    env:
      - QUEUE=jobs
`;
}

function frontService(): string {
  return webService().replace('- GREETING=Hello', '- API=http://api:3000');
}

function apiService(): string {
  return `    command: ["node"]
    args:
      - --eval
      - |
        const { createServer } = require('node:http');
        createServer((request, response) => {
          console.log(request.method, request.url);
          response.end(JSON.stringify({ time: new Date() }));
        }).listen(process.env.PORT ?? 3000, () => console.log('api listens'));
    expose:
      - port: 3000
        to:
          - service: web
`;
}

function definition(name: string, services: Readonly<Record<string, () => string>>): string {
  const names = Object.keys(services);
  const each = (text: (service: string) => string) => names.map(text).join('\n');
  return `# ${keyName('editor.next-problem', 'F8')}: next problem. ${keyName('editor.save', '^S')} shows what this requests before it is sent.
version: "2.0"

name: ${name}

services:
${Object.entries(services)
  .map(([service, body]) => `  ${service}:\n${body()}`)
  .join('\n')}
profiles:
  compute:
${each(
  (service) => `    ${service}:
      resources:
        cpu:
          units: 0.25
        memory:
          size: 128Mi
        storage:
          size: 256Mi`,
)}

  placement:
    local:
      # Micro-units a block of 6 seconds, for each instance.
      pricing:
${each(
  (service) => `        ${service}:
          denom: credits
          amount: 1000`,
)}

deployment:
${each(
  (service) => `  ${service}:
    local:
      profile: ${service}
      count: 1`,
)}
`;
}

/** The kind of a service: a command as a process of the host, or an image as a container. */
export type ServiceKind = 'command' | 'image';

/** Definitions of commands, by the names under which they are offered. */
export const templates = {
  web: definition('web', {
    web: webService,
  }),
  worker: definition('worker', {
    worker: workerService,
  }),
  'web and api': definition('shop', {
    web: frontService,
    api: apiService,
  }),
} as const;

export type TemplateName = keyof typeof templates;

/** Returns a template whose services are made of commands, or of an image that has them. */
export function templateOf(name: TemplateName, workload: ServiceKind): string {
  const text = templates[name];
  return workload === 'command'
    ? text
    : text.replaceAll('    command: ["node"]', '    image: node:24\n    command: ["node"]');
}
import { keyName } from '../prompts/key-names.ts';
