import type { Deployment } from '../../contract/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import {
  CommandFailure,
  requestedValue,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { nextCommand } from '../output/next-command.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { checkDefinition, readDefinition } from './definition-file.ts';
import { deploymentView } from './deployment-view.ts';
import { reportWait } from './wait-for-deployment.ts';
import { formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import type { Grant } from '../../contract/grants.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';
import { payersOf, remainingText } from '../../store/grants/payers.ts';

interface CreateFlags {
  readonly file: string | undefined;
  readonly check: boolean;
  readonly wait: boolean;
  readonly timeout: number | undefined;
}

/** Creates a deployment from a definition, after a question that names its price. */
export async function createDeployment(
  context: ServiceCommandContext,
  { flags }: CommandWords<CreateFlags>,
): Promise<ExitCode> {
  const { client, output, confirm, options } = context;
  const { file } = flags;
  if (file === undefined) {
    const sentence = 'hostdeck deployments create needs --file FILE.';
    throw new CommandFailure(usageProblem(sentence, '-: stdin.'));
  }
  const definition = await readDefinition(file, context);
  const { summary, warnings, problem } = checkDefinition(definition, file);
  if (problem !== undefined && flags.check) throw new CommandFailure(problem);
  for (const warning of warnings) output.note(`warning: ${warning}`);
  const facts = options.yes && !options.dryRun ? [] : await factsOf(context, summary);
  const what = summary.name ?? 'a deployment';
  if (options.dryRun) {
    await output.result([`Would create ${what} on ${client.host}.`, ...facts], {
      ...(summary.name !== undefined && { name: summary.name }),
      services: summary.services.map(({ name }) => name),
      ...(summary.pricePerHour !== undefined && { pricePerHour: summary.pricePerHour }),
      result: 'would be created',
    });
    return exitCodes.done;
  }
  await confirm.ask({ facts, question: `Create ${what} on ${client.host}?` });
  const created = requestedValue(await client.deployments.create(definition), (error) =>
    requestProblem(error, nextCommand(context, 'deployments list')),
  );
  const label = deploymentLabel(created.value);
  if (!flags.wait) return reportCreation(context, created, label);
  const { id } = created.value;
  if (!options.json) output.note(`Created ${label} (${id}).`);
  return reportWait(context, { id, label, timeout: flags.timeout });
}

async function reportCreation(
  { output, options }: ServiceCommandContext,
  read: DecodedRecord<Deployment>,
  label: string,
): Promise<ExitCode> {
  if (options.json || options.quiet) return output.record(read, deploymentView);
  await output.result([`Created ${label} (${read.value.id}).`]);
  return exitCodes.done;
}

/** Returns the facts for the question: services, price, and payer where the service tells them. */
async function factsOf(
  { client, signal, service, clock }: ServiceCommandContext,
  summary: ReturnType<typeof checkDefinition>['summary'],
): Promise<readonly string[]> {
  const isPriced = service.profile.workloads !== undefined || (await listsPrices(client, signal));
  const grants = isPriced ? await client.grants.list(signal) : undefined;
  return creationFactLines({
    summary,
    isPriced,
    grants: grants?.ok === true ? grants.value : undefined,
    wallet: service.profile.wallet,
    serviceNow: clock.now() + client.clockOffset(),
  });
}

/** Whether the service prices deployments by their definition: its list then has prices. */
async function listsPrices(
  client: ServiceCommandContext['client'],
  signal: AbortSignal,
): Promise<boolean> {
  const listed = await client.deployments.list(signal);
  return listed.ok && listed.value.some(({ value }) => value.pricePerHour !== undefined);
}

interface CreationFacts {
  readonly summary: SdlSummary;
  /** True on a service that takes the price of the definition, as our host does. */
  readonly isPriced: boolean;
  /** The grants of the service; undefined where they are not known. */
  readonly grants: readonly DecodedRecord<Grant>[] | undefined;
  readonly wallet: string | undefined;
  /** Ms since the epoch, by the clock of the service. */
  readonly serviceNow: number;
}

const hoursOfDay = 24n;

/** Returns the price in words; `unknown` where the definition has none that can be read. */
function priceText(pricePerHour: string | undefined): string {
  const hourly = parseDecimal(pricePerHour ?? '');
  if (hourly === undefined) return 'unknown';
  return `${formatDecimal(hourly)} an hour, ${formatDecimal(hourly * hoursOfDay)} a day`;
}

/** Returns the lines that are shown before the question: services, price, payer. */
function creationFactLines(facts: CreationFacts): readonly string[] {
  const { summary, isPriced } = facts;
  const services = summary.services.map(({ name, count }) =>
    count === 0 ? name : `${name} (${count} ${count === 1 ? 'instance' : 'instances'})`,
  );
  return [
    `Services: ${services.length === 0 ? 'none' : services.join(', ')}`,
    `${isPriced ? 'Cost' : 'Price in the definition'}: ${priceText(summary.pricePerHour)}`,
    ...(isPriced ? payerLines(facts) : []),
  ];
}

/** Lists the grants that pay, in their order. Addresses stay complete because money moves. */
function payerLines({ grants, wallet, serviceNow }: CreationFacts): readonly string[] {
  const payers = grants === undefined ? undefined : payersOf(grants, wallet, serviceNow);
  if (payers === undefined) return ['Payer: unknown'];
  const names = [
    ...payers.grants.map((grant) => `a grant of ${grant.grantor} (${remainingText(grant)})`),
    'your own balance',
  ];
  return [`Payer: ${names.join(', then ')}`];
}
