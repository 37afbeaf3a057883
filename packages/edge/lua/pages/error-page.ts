import type { ErrorPage } from '@breakwater/contract/site-config/advanced-config';
import { prepareCondition, type PreparedCondition } from '@breakwater/policy/conditions/condition';
import { chooseErrorPage, fillPage, isPersonal } from '@breakwater/policy/site/error-page';
import { pathOfTarget } from '@breakwater/policy/http/request-path';
import { verdictOf } from '../front/facts.ts';

/** What a visitor gets in place of an error. */
export interface ErrorAnswer {
  status: number;
  contentType: string;
  /** In parts. */
  body: string[];
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

/** The pages of a site, made ready. */
export interface OwnPages {
  pages: ErrorPage[];
  /** By a page's place. */
  conditions: Record<number, PreparedCondition>;
  isConditional: boolean;
}

export function ownPagesOf(pages: ErrorPage[] | undefined): OwnPages | undefined {
  if (pages === undefined || pages.length === 0) return undefined;
  const own: OwnPages = { pages, conditions: {}, isConditional: false };
  for (let index = 0; index < pages.length; index++) {
    const condition = pages[index]!.condition;
    if (condition === undefined) continue;
    own.conditions[index] = prepareCondition(condition);
    own.isConditional = true;
  }
  return own;
}

/** Of the visitor's request: which pages' conditions suit, a digit for each page. What cannot be decided does not suit. */
export function suitingPages({ pages, conditions }: OwnPages): string {
  let suiting = '';
  for (let index = 0; index < pages.length; index++) {
    const condition = conditions[index];
    suiting += condition === undefined || verdictOf(condition) === 1 ? '1' : '0';
  }
  return suiting;
}

/** The site's own answer to an error at a target, or nothing where it has none. */
export interface OwnAnswer {
  answer: ErrorAnswer | undefined;
  /** Another visitor may get another answer, so this one is for nobody else. */
  isConditional: boolean;
}

/** `suiting` as from `suitingPages`. */
export function errorAnswer(
  own: OwnPages | undefined,
  suiting: () => string,
  target: string,
  values: PageValues,
): OwnAnswer {
  if (own === undefined) return { answer: undefined, isConditional: false };
  let isConditional = false;
  const path = pathOfTarget(target);
  const index = chooseErrorPage(own.pages, values.status, path, (place) => {
    isConditional = true;
    return suiting().substring(place, place + 1) === '1';
  });
  const answer = index < 0 ? undefined : answerOf(own.pages[index]!, values);
  return { answer, isConditional };
}

function answerOf(page: ErrorPage, values: PageValues): ErrorAnswer {
  const { new_status: status, content_type: contentType } = page;
  if (page.source === 'redirect')
    return {
      status: status === 0 ? 302 : status,
      contentType: 'text/plain',
      body: [],
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

export function fillIn(body: string, { status, host, requestId, clientIp }: PageValues): string[] {
  return fillPage(body, { status: `${status}`, host, request_id: requestId, client_ip: clientIp });
}

export const contentTypeOf = (type: string): string =>
  type === 'application/json' ? type : `${type}; charset=utf-8`;
