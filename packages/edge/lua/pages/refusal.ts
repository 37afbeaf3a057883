import type { Access } from '../front/access.ts';
import { matcherAnswer } from '../protect/matchers.ts';
import type { Protection } from '../protect/protect.ts';
import type { Site } from '../site/site.ts';

/** What stands in place of the site for who is not let in. */
export interface Refusal {
  /** Of the edge's own pages. */
  page: string;
  status: number;
  /** Empty: the site's error page for the status, or the edge's own. */
  body: string;
  location: string | undefined;
  /** No answer: the connection ends. */
  closes?: boolean;
}

function deniedBy(deny: Access['deny']['site']): Refusal {
  return { page: 'denied', status: deny?.status ?? 403, body: deny?.body ?? '', location: undefined };
}

/** By the name that `$edge_page` has. */
const refusals: Record<string, (access: Access) => Refusal> = {
  denied: ({ deny }) => deniedBy(deny.site),
  denied_global: ({ deny }) => deniedBy(deny.global),
  denied_product: ({ deny }) => deniedBy(deny.product),
  denied_client: ({ deny }) => deniedBy(deny.client),
  bad_referer: ({ referer }) => ({
    page: 'bad_referer',
    status: referer?.status ?? 403,
    body: '',
    // Where it is sent can be another level's say, and that it is refused at all the site's own.
    location:
      referer?.action === 'redirect' && referer.redirect_url !== '' ? referer.redirect_url : undefined,
  }),
};

/** What the rule says that blocked, as the decision names it. */
function blockedBy({ matchers }: Protection, decision: string): Refusal {
  const answer = matchers && matcherAnswer(matchers, decision);
  return {
    page: 'blocked',
    status: answer?.status ?? 403,
    body: answer?.body ?? '',
    location: undefined,
    closes: answer?.kind === 'close',
  };
}

/** What the site says of a page for who is not let in; nothing for another page. */
export function refusalOf(name: string, { access, protection }: Site): Refusal | undefined {
  if (name === 'blocked') return protection && blockedBy(protection, ngx.var.edge_decision!);
  return access && refusals[name]?.(access);
}
