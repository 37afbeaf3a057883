import * as z from 'zod';
import { captchaProviderCodes, captchaProviders, type CaptchaProviderCode } from './captcha-vendors.ts';
import {
  chosenIds,
  count,
  created,
  dateTime,
  id,
  idParams,
  idText,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { shown, type Shown } from './secret.ts';

/** Accounts at services whose challenges visitors can be asked for, in place of the platform's own. */

type InputOf<Code extends CaptchaProviderCode> = z.ZodObject<
  {
    name: typeof name;
    provider: z.ZodLiteral<Code>;
    params: (typeof captchaProviders)[Code]['params'];
  },
  z.core.$strict
>;
type Inputs = { [Code in CaptchaProviderCode]: InputOf<Code> }[CaptchaProviderCode];
export const captchaAccountInput = z.discriminatedUnion(
  'provider',
  captchaProviderCodes.map((code) =>
    z.strictObject({ name, provider: z.literal(code), params: captchaProviders[code].params }),
  ) as unknown as [Inputs, ...Inputs[]],
);
export type CaptchaAccountInput = z.output<typeof captchaAccountInput>;

type Params = (typeof captchaProviders)[CaptchaProviderCode]['params'];
type ShownParams = z.ZodType<Shown<z.output<Params>>, Shown<z.input<Params>>>;
const shownParams = z.union(
  captchaProviderCodes.map((code) => shown(captchaProviders[code].params)),
) as ShownParams;

export const captchaAccount = z.strictObject({
  id,
  name: z.string(),
  /** Null: the platform's. */
  client_id: id.nullable(),
  client_name: z.string().nullable(),
  provider: z.enum(captchaProviderCodes),
  /** Those of its provider; of a secret, whether it is set. */
  params: shownParams,
  version,
  /** When it was tested last; null: never since its last change. */
  checked_at: dateTime.nullable(),
  /** What the last test found wrong; empty where it found nothing. */
  last_error: z.string(),
  /** Sites and levels that name it, which keep it from being deleted: how many, and some of the sites by their first domain. */
  site_count: count,
  level_count: count,
  sites: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
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
    query: listQuery({
      ids: chosenIds,
      name: optionalText,
      provider: z.enum(captchaProviderCodes).optional(),
      client_id: optionalIdText,
      /** Of a customer and of the platform, or of the platform alone: those that its sites, or levels, may name. */
      usable_by: z.union([z.literal('platform'), idText]).optional(),
    }),
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
    response: z.strictObject({
      ok: z.boolean(),
      /** Why not; empty where it is. */
      message: z.string(),
      milliseconds: z.int(),
    }),
  },
});
