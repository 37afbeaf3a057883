import * as z from 'zod';
import { captchaProviders } from './captcha-vendors.ts';
import { count, created, id, idParams, listOf, listQuery, nothing, version } from './common.ts';
import { defineRoutes } from './define.ts';
import { accountFilters, accountInputOf, accountOf, accountTest } from './provider-account.ts';

/** Accounts at services whose challenges visitors can be asked for, in place of the platform's own. */

export const captchaAccountInput = accountInputOf(captchaProviders);
export type CaptchaAccountInput = z.output<typeof captchaAccountInput>;

export const captchaAccount = accountOf(captchaProviders, {
  /** Sites and levels that name it, which keep it from being deleted: how many, and some of the sites by their first domain. */
  site_count: count,
  level_count: count,
  sites: z.array(z.string()),
});
export type CaptchaAccount = z.infer<typeof captchaAccount>;

const read = { kind: 'both', permission: 'captcha_account.read' } as const;
const write = { kind: 'both', permission: 'captcha_account.write' } as const;

export const captchaAccountRoutes = defineRoutes({
  listCaptchaAccounts: {
    method: 'GET',
    path: '/prod-api/captcha_account',
    summary:
      'List CAPTCHA accounts by name. Customers see their own, administrators those of the platform and of all customers.',
    access: read,
    query: listQuery(accountFilters(captchaProviders)),
    response: listOf(captchaAccount),
  },
  getCaptchaAccount: {
    method: 'GET',
    path: '/prod-api/captcha_account/{id}',
    summary: 'Get a CAPTCHA account, without its secret.',
    access: read,
    params: idParams,
    response: captchaAccount,
  },
  createCaptchaAccount: {
    method: 'POST',
    path: '/prod-api/captcha_account',
    summary: 'Add a CAPTCHA account of the platform or, as a customer, your own.',
    access: write,
    body: captchaAccountInput,
    response: created,
  },
  updateCaptchaAccount: {
    method: 'PUT',
    path: '/prod-api/captcha_account/{id}',
    summary:
      'Change a CAPTCHA account. A secret that is left out is kept, unless the server changes. Nodes whose sites use it are told.',
    access: write,
    params: idParams,
    body: z.strictObject({ version, value: captchaAccountInput }),
    response: z.strictObject({ version, task_id: id.nullable() }),
  },
  removeCaptchaAccount: {
    method: 'DELETE',
    path: '/prod-api/captcha_account/{id}',
    summary: 'Delete a CAPTCHA account that no site and no level names.',
    access: write,
    params: idParams,
    response: nothing,
  },
  testCaptchaAccount: {
    method: 'POST',
    path: '/prod-api/captcha_account/{id}/test',
    cost: 'refresh',
    summary:
      'Ask the provider about a made-up answer: it can be reached from the control plane, and accepts the secret.',
    access: write,
    params: idParams,
    unlogged: true,
    response: z.strictObject(accountTest),
  },
});
