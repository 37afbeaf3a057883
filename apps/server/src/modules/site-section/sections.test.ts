import { condition, contentCondition, siteSectionNames, siteSections } from '@breakwater/contract';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { usesOf } from './site-uses.ts';

/** What the contract has in a section and its room does not say would be missing at a node. */

interface Field {
  path: string;
  schema: z.core.$ZodType;
}

/** All fields of a schema, by their path through lists without a position. */
function fieldsOf(schema: z.core.$ZodType, path = ''): Field[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const here = [{ path, schema }];
  switch (def.type) {
    case 'object':
      return [
        ...here,
        ...Object.entries(def.shape).flatMap(([name, field]) =>
          fieldsOf(field, path === '' ? name : `${path}.${name}`),
        ),
      ];
    case 'array':
      return [...here, ...fieldsOf(def.element, path)];
    case 'union':
      return [...here, ...def.options.flatMap((option) => fieldsOf(option, path))];
    case 'pipe':
      return [...here, ...fieldsOf(def.in, path)];
    default:
      return 'innerType' in def ? [...here, ...fieldsOf(def.innerType, path)] : here;
  }
}

const lastOf = (path: string) => path.split('.').at(-1) ?? '';

test.each(siteSectionNames)('%s says what its rules ask of', (name) => {
  const asks = fieldsOf(siteSections[name]).some(
    ({ path, schema }) =>
      schema === condition || schema === contentCondition || lastOf(path) === 'address_lists',
  );
  const rule = {
    condition: { items: [{ field: 'country', operator: 'is', values: ['CN'] }] },
    address_lists: [7, 3],
  };
  const none = {
    certificates: [],
    addressLists: [],
    captchaAccounts: [],
    places: false,
    knownVulnerabilities: false,
  };
  const uses = usesOf({ [name]: { certificate_ids: [], rules: [rule] } });
  expect(uses).toEqual(asks ? { ...none, addressLists: [3, 7], places: true } : none);
});

test('what a site needs is what its sections need, lists once and in order', () => {
  const rules = [{ address_lists: [9, 4] }];
  expect(
    usesOf({
      access_control: { rules },
      security: { rules: [{ address_lists: [4, 1] }] },
      certificate_settings: { certificate_ids: [8, 2] },
      browser_verify_rule: { captcha_account_id: 5 },
    }),
  ).toEqual({
    certificates: [8, 2],
    addressLists: [1, 4, 9],
    captchaAccounts: [5],
    places: false,
    knownVulnerabilities: false,
  });
});
