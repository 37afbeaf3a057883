import { filingProviders } from '@breakwater/contract';
import * as z from 'zod';
import { readAnswer } from '../call-vendor.ts';
import { customCalls, customIssues } from '../custom-calls.ts';
import { defineProvider } from '../define-provider.ts';

export interface FoundFiling {
  number: string;
  holder: string;
}
export interface FilingClient {
  /** What is filed of a registrable domain; null: nothing. Absent where nobody can be asked. */
  find?: (name: string) => Promise<FoundFiling | null>;
}

export const manualFilingProvider = defineProvider<FilingClient, typeof filingProviders.manual>(
  filingProviders.manual,
  { make: () => ({}), test: () => Promise.resolve() },
);

const answer = z.object({
  filing: z.object({ number: z.string().max(64), holder: z.string().max(500).default('') }).nullable(),
});

/** An address of the operator's own: `docs/filings.md`. */
export const customFilingProvider = defineProvider<FilingClient, typeof filingProviders.custom_http>(
  filingProviders.custom_http,
  {
    make: (params, { reach }) => {
      const call = customCalls(params, reach, customIssues);
      return {
        find: async (name) => readAnswer(answer, await call('find_filing', { name })).filing,
      };
    },
    test: async ({ find }) => void (await find!('example.com')),
  },
);
