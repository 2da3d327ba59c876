/** Decides whether a plan may be sent, must be confirmed, or is refused. Pure. */
import { type CommandProblem, usageProblem } from '../command-problem.ts';
import type { CommandQuestion } from '../confirm/confirm.ts';
import type { SyncPlan } from './plan-sync.ts';
import { fileCount } from './plan-records.ts';

/** Deletions up to which a yes is enough. */
export const freeDeletions = 20;

export interface ApprovalQuery {
  readonly plan: Pick<SyncPlan, 'updates' | 'deletes'>;
  /** Ends of the sync, such as `./site to shop/web`. */
  readonly ends: string;
  readonly watches: boolean;
  /** True with `--yes`. */
  readonly yes: boolean;
  /** Value of `--max-delete`. */
  readonly maxDelete: number | undefined;
}

export type Approval =
  | { readonly kind: 'approved' }
  | { readonly kind: 'ask'; readonly question: CommandQuestion }
  | { readonly kind: 'refused'; readonly problem: CommandProblem };

/** Returns how a plan is approved. */
export function approvalOf({ plan, ends, watches, yes, maxDelete }: ApprovalQuery): Approval {
  const updates = plan.updates.length;
  const deletes = plan.deletes.length;
  if (deletes > (maxDelete ?? (yes ? freeDeletions : Number.POSITIVE_INFINITY))) {
    const most = maxDelete ?? freeDeletions;
    const sentence = `${fileCount(deletes)} would be deleted, more than ${most}.`;
    const problem = usageProblem(sentence, `Nothing was sent. --max-delete ${deletes} allows it.`);
    return { kind: 'refused', problem };
  }
  if (updates + deletes === 0 && !watches) return { kind: 'approved' };
  const parts = [
    ...(updates === 0 ? [] : [`overwrites ${fileCount(updates)}`]),
    ...(deletes === 0 ? [] : [`deletes ${fileCount(deletes)}`]),
    ...(watches ? ['sends every change until it is ended'] : []),
  ];
  const question: CommandQuestion = {
    facts: [`The sync of ${ends} ${parts.join(', ')}.`],
    question: watches ? 'Start?' : 'Continue?',
    typed: deletes > freeDeletions && maxDelete === undefined ? String(deletes) : undefined,
  };
  return { kind: 'ask', question };
}
