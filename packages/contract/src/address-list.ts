import * as z from 'zod';
import {
  chosenIds,
  count,
  created,
  dateTime,
  description,
  id,
  idParams,
  idText,
  ipAddress,
  ipOrCidr,
  listOf,
  listQuery,
  name,
  nothing,
  optionalIdText,
  optionalText,
  inputText,
  version,
} from './common.ts';
import { defineRoutes } from './define.ts';
import { searchRobots } from './search-robots.ts';

/** How many one owner may have, whatever their products allow. */
export const addressListsMax = 200;
const contentBytesMax = 8 * 1024 * 1024;

/** `rules`: matcher rules put visitors on it, each for a time. */
export const addressListSources = ['inline', 'url', 'rules'] as const;
/** How many addresses rules keep on one list; those that come then are left out until there is room. */
export const ruleEntriesMax = 10_000;

export const addressListInput = z
  .strictObject({
    name,
    description: description.optional(),
    source: z.enum(addressListSources).default('inline'),
    /** Of an inline list: an address, network or range on each line, and comments behind `#`. The server checks the lines. */
    content: inputText().max(contentBytesMax).default(''),
    /** Where a list of the other kind is fetched from; such a list is read as an inline one is. */
    url: inputText()
      .trim()
      .max(2000)
      .refine((text) => text === '' || /^https?:\/\/[^\s/@]+(?:\/\S*)?$/.test(text), { error: 'url' })
      .default(''),
    interval_seconds: z.int().min(300).max(2_592_000).default(86_400),
  })
  .check((context) => {
    const { source, url } = context.value;
    if (source === 'url' && url === '')
      context.issues.push({ code: 'custom', path: ['url'], message: 'required', input: context.value });
  });

/** A list of addresses that sites' rules name. A customer has their own; the platform's are for administrators to use. */
export const addressList = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  /** Null: the platform's. */
  client_id: id.nullable(),
  client_name: z.string().nullable(),
  source: z.enum(addressListSources),
  url: z.string(),
  interval_seconds: z.int(),
  /** Entries as they were written; nodes hold those that overlap as one. */
  entry_count: z.int(),
  site_count: z.int(),
  /** Levels of site defaults whose rules name it. */
  level_count: z.int(),
  /** When a list from a URL was last fetched well; what nodes have is from then. */
  fetched_at: dateTime.nullable(),
  /** Why the last attempt failed; empty where it did not. */
  last_error: z.string(),
  tried_at: dateTime.nullable(),
  version,
  created_at: dateTime,
  updated_at: dateTime,
});
export type AddressList = z.infer<typeof addressList>;

const bodyBytesMax = 10 * 1024 * 1024;

export const addressListRoutes = defineRoutes({
  listAddressLists: {
    method: 'GET',
    path: '/prod-api/address_list',
    summary:
      'List address lists by name. Customers see their own, administrators those of the platform and of all customers.',
    access: { kind: 'both', permission: 'address_list.read' },
    query: listQuery({
      ids: chosenIds,
      name: optionalText,
      client_id: optionalIdText,
      source: z.enum(addressListSources).optional(),
      /** Those that a site of this customer can name: theirs and the platform's; `platform`: the platform's alone. */
      usable_by: z.union([z.literal('platform'), idText]).optional(),
    }),
    response: listOf(addressList),
  },
  getAddressList: {
    method: 'GET',
    path: '/prod-api/address_list/{id}',
    summary: 'Get an address list with its entries and the sites that use it.',
    access: { kind: 'both', permission: 'address_list.read' },
    params: idParams,
    response: addressList.extend({
      content: z.string(),
      sites: z.array(z.strictObject({ id, domain: z.string() })),
    }),
  },
  createAddressList: {
    method: 'POST',
    path: '/prod-api/address_list',
    summary:
      'Create an address list of the platform or, as a customer, your own. A list from a URL is fetched immediately.',
    access: { kind: 'both', permission: 'address_list.write' },
    body: addressListInput,
    bodyBytesMax,
    response: created,
  },
  updateAddressList: {
    method: 'PUT',
    path: '/prod-api/address_list/{id}',
    summary:
      'Change an address list. It is deployed to the nodes as one document, regardless of how many sites use it.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    body: addressListInput.safeExtend({ version }),
    bodyBytesMax,
    response: z.strictObject({ task_id: id.nullable() }),
  },
  lookUpAddress: {
    method: 'GET',
    path: '/prod-api/address_lookup',
    summary:
      'Look up the location of an IP, the address lists that contain it and whether it is a verified bot, as nodes do. Lists of other customers are left out.',
    access: { kind: 'both', permission: 'address_list.read' },
    query: z.strictObject({
      ip: ipAddress,
      /** Ids with commas between them. */
      lists: inputText()
        .regex(/^[1-9]\d{0,8}(?:,[1-9]\d{0,8}){0,199}$/, { error: 'invalid' })
        .optional(),
      /** `1`: DNS is asked whose robot it is. */
      robot: z.literal('1').optional(),
    }),
    response: z.strictObject({
      /** Parts nobody knows are empty. */
      place: z.strictObject({ country: z.string(), province: z.string(), carrier: z.string() }),
      /** The number of its network; null where nobody knows. */
      asn: z.int().nullable(),
      lists: z.array(z.strictObject({ id, listed: z.boolean() })),
      /** `none`: nobody's; null: not asked, or DNS gave no answer. */
      robot: z.enum([...searchRobots, 'none']).nullable(),
    }),
  },
  refreshAddressList: {
    method: 'POST',
    path: '/prod-api/address_list/{id}/refresh',
    cost: 'refresh',
    summary:
      'Update a list from its URL now. If that fails, the response gives the reason and the last good copy stays in use.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    response: z.strictObject({ entry_count: z.int(), last_error: z.string(), task_id: id.nullable() }),
  },
  removeAddressListEntries: {
    method: 'POST',
    path: '/prod-api/address_list/{id}/remove_entries',
    summary:
      'Take addresses off a list that rules fill, or all of them. Nodes hear of it within seconds; a visitor whom a rule still matches is added again.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    body: z
      .strictObject({
        /** None: all. */
        addresses: z.array(ipOrCidr).max(1000).default([]),
        /** For all: how many were said to be on it. Where there are more by now, all stay; that some ended by themselves does no harm. */
        expected_total: count.optional(),
      })
      .check((context) => {
        const { addresses, expected_total: expected } = context.value;
        if (addresses.length === 0 && expected === undefined)
          context.issues.push({
            code: 'custom',
            path: ['expected_total'],
            message: 'required',
            input: expected,
          });
      }),
    response: z.strictObject({ removed: count }),
  },
  removeAddressList: {
    method: 'DELETE',
    path: '/prod-api/address_list/{id}',
    summary: 'Delete an address list that no site uses.',
    access: { kind: 'both', permission: 'address_list.write' },
    params: idParams,
    response: nothing,
  },
});
