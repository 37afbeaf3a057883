import { screens } from '@breakwater/contract';
import { storage } from '../api/storage.ts';

export const signInPath = '/auth/jwt/sign-in';
export const signUpPath = '/auth/jwt/sign-up';
export const faqsPath = '/faqs';
export const privacyPath = '/privacy-policy';

/** Remembers where an unauthenticated visitor wanted to go; the search part for the sign-in page. */
export function rememberReturn(href: string): { returnTo?: string } {
  if (href.startsWith(signInPath)) return {};
  storage.write('returnTo', href);
  return href === screens.home.path ? {} : { returnTo: href };
}

/** Where to go after sign-in: only ever a path of this console, whatever the address says. */
export function afterSignIn(search: { returnTo?: string }): string {
  const wanted = search.returnTo;
  const url = wanted === undefined ? null : URL.parse(wanted, location.origin);
  storage.remove('returnTo');
  if (!url || url.origin !== location.origin || url.pathname.startsWith(signInPath)) return screens.home.path;
  return url.pathname + url.search;
}
