import type { screens } from '@breakwater/contract';
import { storage } from '../api/storage.ts';

export const homePath: (typeof screens)['home']['path'] = '/dashboard';
export const signInPath = '/auth/jwt/sign-in';
export const signUpPath = '/auth/jwt/sign-up';
export const faqsPath = '/faqs';
export const privacyPath = '/privacy-policy';
export const notFoundPath = '/404';
/** For who is not signed in. */
export const guestPaths: readonly string[] = [signInPath, signUpPath];
/** For everybody. */
export const publicPaths: readonly string[] = [faqsPath, privacyPath];

/** The sign-in page of somebody who wanted to go elsewhere, which is remembered. */
export function signInFor(href: string): string {
  if (href.startsWith(signInPath)) return href;
  storage.write('returnTo', href);
  return href === homePath ? signInPath : `${signInPath}?${new URLSearchParams({ returnTo: href })}`;
}

/** Where to go after sign-in: only ever a path of this console, whatever the address says. */
export function afterSignIn(search: string): string {
  const wanted = new URLSearchParams(search).get('returnTo');
  const url = wanted === null ? null : URL.parse(wanted, location.origin);
  storage.remove('returnTo');
  if (!url || url.origin !== location.origin || url.pathname.startsWith(signInPath)) return homePath;
  return url.pathname + url.search;
}
