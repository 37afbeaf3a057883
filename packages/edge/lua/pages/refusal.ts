import type { Access } from '../front/access.ts';

/** What stands in place of the site for who is not let in. */
export interface Refusal {
  /** Of the edge's own pages. */
  page: string;
  status: number;
  /** Empty: the site's error page for the status, or the edge's own. */
  body: string;
  location: string | undefined;
}

function deniedBy(deny: Access['deny']['site']): Refusal {
  return { page: 'denied', status: deny?.status ?? 403, body: deny?.body ?? '', location: undefined };
}

/** By the name that `$edge_page` has. */
export const refusals: Record<string, (access: Access) => Refusal> = {
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
