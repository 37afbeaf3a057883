import type { IssueMessage } from '@breakwater/contract';
import { ProviderProblem } from '../define-provider.ts';

/** Why an authority did not do something. `detail` has its exact words, each of what it said in parts. */
export class AcmeProblem extends ProviderProblem {
  /** The last part of its `urn:ietf:params:acme:error:` type; empty where it named none. */
  readonly type: string;
  readonly status: number;
  /** Before which it is not to be asked again, where it said so. */
  readonly retryAt: Date | undefined;

  constructor(
    issue: IssueMessage,
    {
      detail = '',
      type = '',
      status = 0,
      retryAt,
    }: { detail?: string; type?: string; status?: number; retryAt?: Date | undefined } = {},
  ) {
    super(issue, detail);
    this.type = type;
    this.status = status;
    this.retryAt = retryAt;
  }
}

const wordsMax = 2000;

interface Said {
  detail?: unknown;
  identifier?: { value?: unknown };
  subproblems?: unknown;
}

/** A problem document (RFC 9457) and those within it (RFC 8555 §6.7.1), as one line. */
export function wordsOf(document: unknown): string {
  if (typeof document !== 'object' || document === null) return '';
  const { detail, identifier, subproblems } = document as Said;
  const own = typeof detail === 'string' ? detail : '';
  const about = typeof identifier?.value === 'string' ? `${identifier.value}: ` : '';
  const parts = Array.isArray(subproblems) ? subproblems.map(wordsOf).filter((part) => part !== '') : [];
  const line = [own === '' ? '' : `${about}${own}`, ...parts].filter((part) => part !== '').join(' · ');
  return line.replaceAll('\0', '').toWellFormed().slice(0, wordsMax);
}

export function typeOf(document: unknown): string {
  const { type } = (document ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type.replace(/^urn:ietf:params:acme:error:/, '').slice(0, 100) : '';
}
