import * as z from 'zod';
import { chosenIds, dateTime, id, idText, name, optionalIdText, optionalText, version } from './common.ts';
import type { ProviderDescription } from './provider.ts';
import { shown, type Shown } from './secret.ts';

/**
 * Accounts at providers of one family: a name, which provider, and the parameters that it describes, whose secrets are never
 * answered. They are the platform's or a customer's, and can be tested. The server's part is `apps/server/src/provider-account.ts`,
 * the console's `apps/console/src/frame/provider-account/`.
 */

export type ProvidersOf<Code extends string = string> = Record<Code, ProviderDescription>;

type CodeOf<Providers extends ProvidersOf> = keyof Providers & string;

/** In the order in which they are offered. */
export const codesOf = <Providers extends ProvidersOf>(providers: Providers) =>
  Object.keys(providers) as [CodeOf<Providers>, ...CodeOf<Providers>[]];

type InputOf<Providers extends ProvidersOf, Code extends CodeOf<Providers>> = z.ZodObject<
  { name: typeof name; provider: z.ZodLiteral<Code>; params: Providers[Code]['params'] },
  z.core.$strict
>;
type Inputs<Providers extends ProvidersOf> = {
  [Code in CodeOf<Providers>]: InputOf<Providers, Code>;
}[CodeOf<Providers>];

/** What is sent of one: the parameters are those of its provider. */
export const accountInputOf = <Providers extends ProvidersOf>(providers: Providers) =>
  z.discriminatedUnion(
    'provider',
    // `map` makes one type of all; each is of its own code, as `Inputs` says.
    codesOf(providers).map((code) =>
      z.strictObject({ name, provider: z.literal(code), params: providers[code]!.params }),
    ) as unknown as [Inputs<Providers>, ...Inputs<Providers>[]],
  );

type Params<Providers extends ProvidersOf> = Providers[CodeOf<Providers>]['params'];

/** What is answered of one; `uses` says what names it, and so keeps it from being deleted. */
export const accountOf = <Providers extends ProvidersOf, const Uses extends z.core.$ZodLooseShape>(
  providers: Providers,
  uses: Uses,
) =>
  z.strictObject({
    id,
    name: z.string(),
    /** Null: the platform's. */
    client_id: id.nullable(),
    client_name: z.string().nullable(),
    provider: z.enum(codesOf(providers)),
    /** Those of its provider; of a secret, whether it is set. (`map` knows them as schemas of anything.) */
    params: z.union(codesOf(providers).map((code) => shown(providers[code]!.params))) as unknown as z.ZodType<
      Shown<z.output<Params<Providers>>>,
      Shown<z.input<Params<Providers>>>
    >,
    version,
    /** When it was tested last; null: never since its last change. */
    checked_at: dateTime.nullable(),
    /** What the last test found wrong; empty where it found nothing. */
    last_error: z.string(),
    ...uses,
    created_at: dateTime,
    updated_at: dateTime,
  });

/** What lists of them are searched by. */
export const accountFilters = <Providers extends ProvidersOf>(providers: Providers) => ({
  ids: chosenIds,
  name: optionalText,
  provider: z.enum(codesOf(providers)).optional(),
  client_id: optionalIdText,
  /** Of a customer and of the platform, or of the platform alone: those that its sites, or levels, may name. */
  usable_by: z.union([z.literal('platform'), idText]).optional(),
});

/** What a test found. */
export const accountTest = {
  ok: z.boolean(),
  /** Why not; empty where it is. */
  message: z.string(),
  milliseconds: z.int(),
};
