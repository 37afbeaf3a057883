import type { CertificateOrderProblem } from '@breakwater/contract';
import { ApiError } from '../../api-error.ts';
import { AcmeProblem } from '../../providers/acme/acme-problem.ts';
import { ProviderProblem } from '../../providers/define-provider.ts';

/** Why a certificate is not obtained now. */
export class OrderProblem extends Error {
  readonly problem: CertificateOrderProblem;
  /** What somebody else said, or what it is about; in their words. */
  readonly detail: string;
  readonly retryAt: Date | undefined;
  /** The order at the authority is of no use any more. */
  readonly endsOrder: boolean;
  /** Those that the authority could not validate. */
  readonly names: readonly string[];
  /** It may be gone in a moment: a try need not end with it. */
  readonly passes: boolean;
  /** By which the timeline says what to mend. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(
    problem: CertificateOrderProblem,
    detail = '',
    { retryAt, endsOrder = true, names = [], passes = false, facts = {} }: ProblemOptions = {},
  ) {
    super(`${problem}: ${detail}`);
    this.problem = problem;
    this.detail = detail;
    this.retryAt = retryAt;
    this.endsOrder = endsOrder;
    this.names = names;
    this.passes = passes;
    this.facts = facts;
  }
}

interface ProblemOptions {
  retryAt?: Date | undefined;
  endsOrder?: boolean;
  names?: readonly string[];
  passes?: boolean;
  facts?: Readonly<Record<string, string>>;
}

/** What another authority may do better. */
export const isOfAuthority = ({ problem }: OrderProblem): boolean =>
  problem === 'authority_refused' ||
  problem === 'authority_unreachable' ||
  problem === 'authority_answer' ||
  problem === 'rate_limited' ||
  problem === 'limit_reached' ||
  problem === 'eab_required' ||
  problem === 'no_challenge';

const wordOf: Partial<Record<string, CertificateOrderProblem>> = {
  acme_refused: 'authority_refused',
  acme_rate_limited: 'rate_limited',
  acme_directory: 'authority_answer',
  acme_eab_required: 'eab_required',
  provider_answer: 'authority_answer',
};

/** Failures of an authority as problems of the order; anything else stays what it is. */
export function orderProblemOf(error: unknown): OrderProblem | undefined {
  if (error instanceof OrderProblem) return error;
  if (error instanceof ApiError && error.fields[0]?.issue.startsWith('certificate_count'))
    return new OrderProblem('certificate_limit', '', { endsOrder: false });
  if (!(error instanceof ProviderProblem)) return undefined;
  const { issue, detail } = error;
  const status = error instanceof AcmeProblem ? error.status : 0;
  const problem = status >= 500 ? 'authority_unreachable' : (wordOf[issue] ?? 'authority_unreachable');
  const retryAt = error instanceof AcmeProblem ? error.retryAt : undefined;
  // What passes does not end an order that is under way.
  const endsOrder = problem !== 'authority_unreachable' && problem !== 'rate_limited';
  return new OrderProblem(problem, detail === '' ? issue : detail, { retryAt, endsOrder });
}
