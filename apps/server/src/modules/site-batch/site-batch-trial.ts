import type { SiteBatchInput } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import { site } from '../../db/schema.ts';
import type { Services } from '../../services.ts';
import { snippetOf, tryIn } from '../site-config/site-config.service.ts';

/** What is against the directives of a batch in one line group; nothing where they are good, or no node answered. */
type Verdict = Promise<ApiError | undefined>;

/**
 * Directives for nginx that a batch brings to many sites are tried on one node of each line group, once, before the first
 * site there gets them.
 */
export class SnippetTrials {
  readonly #services: Services;
  readonly #snippet: string;
  readonly #verdicts = new Map<number, Verdict>();

  constructor(services: Services, input: SiteBatchInput) {
    this.#services = services;
    this.#snippet = snippetIn(input);
  }

  /** Throws what the node has against them. The node is asked outside of any transaction, which it could not see into. */
  async check(siteId: number | null): Promise<void> {
    if (this.#snippet === '' || siteId === null) return;
    const [row] = await this.#services.db
      .select({ lineGroupId: site.lineGroupId, config: site.config })
      .from(site)
      .where(eq(site.id, siteId));
    if (!row || row.config.advanced_config.snippet === this.#snippet) return;
    const verdict = this.#verdicts.get(row.lineGroupId) ?? this.#try(row.lineGroupId, siteId);
    this.#verdicts.set(row.lineGroupId, verdict);
    const refused = await verdict;
    if (refused) throw refused;
  }

  async #try(lineGroupId: number, siteId: number): Verdict {
    try {
      await tryIn(this.#services, lineGroupId, siteId, this.#snippet, 'value.snippet');
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }
}

function snippetIn(input: SiteBatchInput): string {
  if (input.kind !== 'section' || input.section !== 'advanced_config') return '';
  const isNamed = input.fields.length === 0 || input.fields.includes('snippet');
  return isNamed ? snippetOf(input.value) : '';
}
