import { exactNumber } from '../../client/grants.ts';
import { normaliseDecimal } from '../../contract/amount.ts';
import { limitDecimal } from '../../contract/grants.ts';
import { timeZoneProblem } from '../../config/time-zone.ts';
import { expiryText, isoSeconds, parseExpiry } from '../../store/grants/expiry.ts';
import { type GrantDraft, parseAmount } from '../../store/grants/form-reading.ts';
import { knownGrantees, parseGrantee } from '../../store/grants/grantees.ts';
import { termsSentences } from '../../store/grants/sentences.ts';
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
import { grantView } from './grant-view.ts';
import { type ReadGrants, readGrants } from './read-grants.ts';

interface CreateFlags {
  readonly grantee: string | undefined;
  readonly limit: string | undefined;
  readonly expires: string | undefined;
}

/** Creates a grant after a question, and prints it. */
export async function createGrant(
  context: ServiceCommandContext,
  { flags }: CommandWords<CreateFlags>,
): Promise<ExitCode> {
  const { client, confirm, options, output } = context;
  const missing = (['grantee', 'limit', 'expires'] as const).find(
    (name) => flags[name] === undefined,
  );
  if (missing !== undefined) {
    throw new CommandFailure(usageProblem(`hostdeck grants create needs --${missing}.`, usageNext));
  }
  output.warn(timeZoneProblem(context.env));
  const read = await readGrants(context);
  // Known grantees are only a help, so a token that may not list them may still create a grant.
  if (!read.listed.ok && (read.listed.error.status ?? 401) === 401) {
    throw new CommandFailure(requestProblem(read.listed.error));
  }
  const draft = checkFlags(flags, read);
  const request = {
    grantee: draft.grantee.address,
    limit: draft.digits,
    expires_at: isoSeconds(draft.until),
  };
  if (options.dryRun) {
    const { address } = draft.grantee;
    await output.result(
      [`Would let ${address} spend up to ${draft.digits} until ${request.expires_at}.`],
      { result: 'would be created', ...request, limit: exactNumber(draft.digits) },
    );
    return exitCodes.done;
  }
  await confirm.ask({ facts: factsOf(draft, read), question: 'Create the grant?' });
  const made = requestedValue(await client.grants.create(request), (error) =>
    requestProblem(error, nextCommand(context, 'grants list')),
  );
  const limit = limitDecimal(made.value);
  if (limit !== normaliseDecimal(draft.digits)) {
    output.note(`The service recorded a limit of ${limit}.`);
  }
  return output.record(made, grantView({ ...read.facts, caller: made.value.grantor }));
}

const usageNext = 'See hostdeck grants create --help.';

/** Checks the flags as the form of the console does. Throws a {@link CommandFailure} for a wrong one. */
function checkFlags(
  { grantee = '', limit = '', expires = '' }: CreateFlags,
  { listed, facts: { book, caller, now } }: ReadGrants,
): GrantDraft {
  const known = knownGrantees(listed.ok ? listed.value : [], book, caller);
  const to = parseGrantee(grantee, known, caller, book);
  if (!to.ok) throw refused('grantee', to.problem);
  const amount = parseAmount(limit);
  if (!amount.ok) throw refused('limit', amount.problem);
  const until = parseExpiry(expires, now);
  if (!until.ok) throw refused('expires', until.problem);
  const { at, endOfDay } = until;
  return { grantee: to.grantee, isNew: to.isNew, digits: amount.digits, until: at, endOfDay };
}

function refused(flag: string, problem: string): CommandFailure {
  return new CommandFailure(usageProblem(`--${flag}: ${problem}`, usageNext));
}

/** Returns the lines that tell what the grant allows, with the whole address. */
function factsOf(draft: GrantDraft, { facts: { caller } }: ReadGrants): readonly string[] {
  const { name, address } = draft.grantee;
  return [
    ...termsSentences(draft),
    ...(name === undefined ? [] : [`Address: ${address}`]),
    `Expires: ${expiryText(draft.until)}`,
    ...(caller === undefined ? [] : [`It spends from ${caller} (you).`]),
  ];
}
