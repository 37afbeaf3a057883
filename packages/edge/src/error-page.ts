import type { ErrorPage } from '@breakwater/contract/site-config/advanced-config';
import { chooseErrorPage, fillPage, isPersonal } from '@breakwater/policy/error-page';
import { normalizePath, splitTarget } from '@breakwater/policy/path';
import type { Site } from './site.ts';

/** What a visitor gets in place of an error. */
export interface ErrorAnswer {
  status: number;
  contentType: string;
  body: string;
  location: string | undefined;
  /** It names the request, so nobody else may be given it. */
  personal: boolean;
}

export interface PageValues {
  status: number;
  host: string;
  requestId: string;
  clientIp: string;
}

/** The site's own answer to an error at a target, or nothing where it has none. */
export function errorAnswer(site: Site, target: string, values: PageValues): ErrorAnswer | undefined {
  const pages = site.errorPages;
  if (pages === undefined) return undefined;
  const index = chooseErrorPage(pages, values.status, normalizePath(splitTarget(target).path));
  return index < 0 ? undefined : answerOf(pages[index]!, values);
}

function answerOf(page: ErrorPage, values: PageValues): ErrorAnswer {
  const { new_status: status, content_type: contentType } = page;
  if (page.source === 'redirect')
    return {
      status: status === 0 ? 302 : status,
      contentType: 'text/plain',
      body: '',
      location: page.redirect_url,
      personal: false,
    };
  return {
    status: status === 0 ? values.status : status,
    contentType: contentTypeOf(contentType),
    body: fillIn(page.body, values),
    location: undefined,
    personal: isPersonal(page.body),
  };
}

export function fillIn(body: string, { status, host, requestId, clientIp }: PageValues): string {
  return fillPage(body, { status: `${status}`, host, request_id: requestId, client_ip: clientIp });
}

export const contentTypeOf = (type: string): string =>
  type === 'application/json' ? type : `${type}; charset=utf-8`;
