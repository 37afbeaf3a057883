import { createHash } from 'node:crypto';
import type { VerifyKind } from '@breakwater/contract/site-config/browser-verify';
import { zeroBits } from '@breakwater/policy/protect/verify';
import type { Answer } from './support.ts';

/** Pages of challenges, read and solved as a browser does. */

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export interface Told {
  kind: VerifyKind;
  token: string;
  bits: number;
  form: boolean;
  post: boolean;
}

/** What the script of a page is told. */
export function told({ body }: Answer): Told {
  const text = /id="c"[^>]*>(.*?)<\/script>/s.exec(body)?.[1];
  if (text === undefined) throw new Error(`no challenge: ${body.slice(0, 200)}`);
  const page = JSON.parse(text) as Told;
  return { ...page, bits: Number(page.token.split('.')[2]) };
}

export function worked({ token, bits }: Told): string {
  for (let count = 0; ; count++) if (zeroBits(sha256(`${token}:${count}`)) >= bits) return `work:${count}`;
}
