import type { Site } from '@breakwater/contract';

/** What a site is called: its first domain. */
export const siteName = ({ domains, id }: Pick<Site, 'domains' | 'id'>): string => domains[0] ?? `#${id}`;
