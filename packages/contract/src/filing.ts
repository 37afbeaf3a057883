import * as z from 'zod';
import {
  count,
  dateTime,
  id,
  idParams,
  inputText,
  isHostName,
  listOf,
  listQuery,
  nothing,
  optionalIdText,
  optionalText,
  toAsciiDomain,
  version,
} from './common.ts';
import { crudRoutes, ownedEntity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { filingNumberPattern } from './filing.text.ts';
import { filingProviderCodes } from './filing-provider.ts';
import { secretField } from './secret.ts';
import { defineSetting, settingReaders } from './setting.ts';

/**
 * Filing numbers (ICP) of registrable domains: entered by their customer, confirmed by an operator or a provider. Line groups
 * that ask for them serve no domain without a confirmed one (docs/filings.md).
 */
export const filingStates = ['pending', 'confirmed', 'rejected'] as const;
export type FilingState = (typeof filingStates)[number];
/** Why one is rejected. */
export const filingReasons = ['none', 'operator', 'not_found', 'number_differs'] as const;
export type FilingReason = (typeof filingReasons)[number];

/** As it is typed: spaces, full-width characters and lower case are put right. */
const filingNumber = inputText()
  .max(64)
  .transform((text) => text.normalize('NFKC').replaceAll(/\s/g, '').replaceAll(/[–—−]/g, '-').toUpperCase())
  .refine((text) => filingNumberPattern.test(text), { error: 'filing_number' });

export const filingInput = z.strictObject({
  /** The registrable domain, such as `example.com`; it stands for all names below it. */
  name: inputText()
    .trim()
    .max(253)
    .transform(toAsciiDomain)
    .refine((text) => isHostName(text, 2), { error: 'domain_invalid' }),
  number: filingNumber,
});
/** Administrators name the customer. */
export const filingCreateInput = filingInput.extend({ client_id: id.optional() });

export const filing = ownedEntity({
  name: z.string(),
  number: z.string(),
  state: z.enum(filingStates),
  reason: z.enum(filingReasons),
  /** Who has it, by the provider or the operator. */
  holder: z.string(),
  /** The number that the provider knows, where it is another one. */
  found_number: z.string(),
  /** What the operator wrote, for the customer. */
  note: z.string(),
  /** Empty: the provider, or nobody yet; and for customers. */
  decided_by: z.string(),
  decided_at: dateTime.nullable(),
  /** When the provider answered last. */
  checked_at: dateTime.nullable(),
  /** Why the provider could not be asked; empty: it could. */
  last_error: z.string(),
  /** Domains of sites of its customer that it is for. */
  domain_count: count,
});
export type Filing = z.infer<typeof filing>;

/** A domain of a site without a confirmed filing number; `missing`: none was entered. */
export const unfiledStates = ['missing', 'pending', 'rejected'] as const;
export type UnfiledState = (typeof unfiledStates)[number];
export const unfiledDomain = z.strictObject({
  domain: z.string(),
  /** The domain whose number is wanted; empty where the name is below none that can be registered. */
  zone: z.string(),
  site_id: id,
  site_name: z.string(),
  client_id: id,
  client_name: z.string(),
  state: z.enum(unfiledStates),
  /** The line group of the site asks for it: nodes answer with a page in place of the site. */
  required: z.boolean(),
});
export type UnfiledDomain = z.infer<typeof unfiledDomain>;

export const filingSetting = z
  .strictObject({
    provider: z.enum(filingProviderCodes).default('manual'),
    url: inputText()
      .trim()
      .max(500)
      .regex(/^(?:https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?)?$/, { error: 'url' })
      .default(''),
    ...secretField('secret', inputText().min(16).max(500)),
    /** How often what a provider has confirmed is asked again. */
    recheck_days: z.int().min(1).max(365).default(30),
  })
  .refine(({ provider, url }) => provider === 'manual' || url !== '', { error: 'required', path: ['url'] });
export type FilingSetting = z.infer<typeof filingSetting>;
export const filingSettings = defineSetting('filing_setting', {
  schema: filingSetting,
  initial: {},
  about: 'Who confirms filing numbers, and how often they are checked again',
  readBy: settingReaders,
  permission: 'setting.filing',
});

const asked = z.strictObject({
  state: z.enum(filingStates),
  /** Why the provider did not decide; empty: it did. */
  message: z.string(),
});

export const filingRoutes = defineRoutes({
  ...crudRoutes('Filing', 'Filings', {
    path: 'filing',
    owner: 'client',
    permission: 'filing',
    input: filingInput,
    createInput: filingCreateInput,
    item: filing,
    filters: {
      name: optionalText,
      number: optionalText,
      state: z.enum(filingStates).optional(),
      client_id: optionalIdText,
    },
    summaries: {
      list: 'List filing numbers by domain. Customers see their own.',
      get: 'Get the filing number of a domain.',
      create: 'Enter the filing number of a registrable domain. It is pending until it is confirmed.',
      update: 'Change a filing number. It is pending again until it is confirmed.',
      remove: 'Delete a filing number. Line groups that ask for one stop serving its domains.',
    },
  }),
  listUnfiledDomains: {
    method: 'GET',
    path: '/prod-api/filing/unfiled',
    summary: 'List domains of sites without a confirmed filing number.',
    access: { kind: 'both', permission: 'site.read' },
    query: listQuery({
      domain: optionalText,
      site_id: optionalIdText,
      order_id: optionalIdText,
      client_id: optionalIdText,
      line_group_id: optionalIdText,
      /** Only those whose line group asks for a number. */
      required: z.enum(['yes']).optional(),
    }),
    response: listOf(unfiledDomain),
  },
  decideFiling: {
    method: 'POST',
    path: '/prod-api/filing/{id}/decide',
    summary: 'Confirm or reject a filing number.',
    access: { kind: 'admin', permission: 'filing.decide' },
    params: idParams,
    body: z.strictObject({
      /** What was looked at: a number that was changed meanwhile is not decided. */
      version,
      state: z.enum(['confirmed', 'rejected']),
      holder: inputText().trim().max(200).default(''),
      /** The customer reads it. */
      note: inputText().trim().max(500).default(''),
    }),
    response: nothing,
  },
  checkFiling: {
    method: 'POST',
    path: '/prod-api/filing/{id}/check',
    cost: 'refresh',
    summary: 'Ask the provider about a filing number now.',
    access: { kind: 'both', permission: 'filing.write' },
    params: idParams,
    response: asked,
  },
  getFilingSetting: filingSettings.read,
  updateFilingSetting: filingSettings.write,
});
