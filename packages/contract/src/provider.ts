import type * as z from 'zod';
import { secretPlaces } from './secret.ts';

/**
 * Providers: other people's services that the platform works through, such as a DNS host. One is described here and done in
 * `apps/server/src/providers/`; forms draw what it wants to know from its schema.
 */

export const providerFamilies = [
  'dns',
  'sms',
  'payment',
  'storage',
  'mail',
  'certificate_authority',
  'filing',
  'captcha',
] as const;
export type ProviderFamily = (typeof providerFamilies)[number];

type Words = { zh: string; en: string };

/** What one provider is, as data. */
export interface ProviderDescription<Params extends z.ZodObject = z.ZodObject> {
  family: ProviderFamily;
  /** As it is stored and named in the API; unique in its family. */
  code: string;
  title: Words;
  /** Secrets in it are `secretField`s; each of them is needed. */
  params: Params;
  /** For each of them, but for the marks of secrets. */
  fields: Record<string, { label: Words; hint?: Words; placeholder?: string }>;
  /** The parameters that say who is called: with another one, secrets that are kept are not sent. */
  target: readonly string[];
  capabilities: readonly string[];
}

export const describeProvider = <const Description extends ProviderDescription>(
  description: Description,
): Description => description;

/** One parameter, as a form draws it. */
export interface ProviderField {
  name: string;
  kind: 'text' | 'secret' | 'select' | 'list';
  label: Words;
  hint?: Words;
  placeholder?: string;
  /** Of a `select`. */
  options: readonly string[];
}

/** The parameters of a provider in their order. */
export function providerFields({ params, fields }: ProviderDescription): ProviderField[] {
  const places = secretPlaces(params);
  return Object.entries(params.shape as Record<string, z.core.$ZodType>).flatMap(([name, schema]) => {
    const look = fields[name];
    if (!look) return [];
    const { type, options } = kindOf(schema);
    return [{ name, ...look, kind: places[name] === true ? ('secret' as const) : type, options }];
  });
}

/** What the parameters are before anything is entered; secrets are left out. */
export function emptyParams(provider: ProviderDescription): Record<string, unknown> {
  const fields = providerFields(provider).filter(({ kind }) => kind !== 'secret');
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const schema = (provider.params.shape as Record<string, z.ZodType>)[name]!;
      return [name, schema.safeParse(undefined).data ?? (kind === 'list' ? [] : '')];
    }),
  );
}

function kindOf(schema: z.core.$ZodType): { type: 'text' | 'select' | 'list'; options: readonly string[] } {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return kindOf(def.innerType);
  if (def.type === 'enum') return { type: 'select', options: Object.values(def.entries).map(String) };
  return { type: def.type === 'array' ? 'list' : 'text', options: [] };
}
