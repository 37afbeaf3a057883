import type { CaptchaAccountDocument } from '@breakwater/contract/edge-document';
import { epoch as currentEpoch } from './epoch.ts';
import { decodeJson } from '../lib/json.ts';
import * as store from './store.ts';

/** Accounts at vendors of challenges, as far as this worker has been asked for them. */

interface Held {
  epoch: number;
  revision: number;
  account: CaptchaAccountDocument;
}

const kind = 'captcha_account';
const held: Record<number, Held | undefined> = {};

/** With the revision that it is of; nothing where the node has not got it. */
export function captchaAccount(
  id: number,
): { account: CaptchaAccountDocument; revision: number } | undefined {
  const epoch = currentEpoch();
  const known = held[id];
  if (known !== undefined && known.epoch === epoch) return known;
  const key = `${id}`;
  const revision = store.revisionOf(kind, key);
  if (known !== undefined && known.revision === revision) {
    known.epoch = epoch;
    return known;
  }
  const body = revision === undefined ? undefined : store.bodyOf(kind, key);
  if (revision === undefined || body === undefined) {
    delete held[id];
    return undefined;
  }
  const read = { epoch, revision, account: decodeJson(body)[0] as CaptchaAccountDocument };
  held[id] = read;
  return read;
}
