import type { IssueMessage, ProviderDescription } from '@breakwater/contract';
import type * as z from 'zod';
import type { Reach } from './reach.ts';

/** What a provider is made with: whom it may call. */
export interface ProviderContext {
  reach: Reach;
}

/** A provider: as the contract describes it, and how it is done. `Client` is what its family can do. */
export interface Provider<Client, Params = unknown> {
  description: ProviderDescription;
  /** Parameters are those of the description, with their secrets opened. */
  make(params: Params, context: ProviderContext): Client;
  /** Whether the account works, without changing anything. Fails with a `ProviderProblem`. */
  test(client: Client): Promise<void>;
}

/** Holds the parameters of a provider to its description. */
export function defineProvider<Client, Description extends ProviderDescription>(
  description: Description,
  parts: Omit<Provider<Client, z.output<Description['params']>>, 'description'>,
): Provider<Client> {
  return { description, ...parts } as Provider<Client>;
}

/** Why a provider could not do something, as a key of the contract's sentences; `detail` is what it said itself. */
export class ProviderProblem extends Error {
  readonly issue: IssueMessage;
  readonly detail: string;
  constructor(issue: IssueMessage, detail = '') {
    super(detail === '' ? issue : `${issue}: ${detail}`);
    this.issue = issue;
    this.detail = detail;
  }
}
