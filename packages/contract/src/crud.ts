import * as z from 'zod';
import { chosenIds, created, dateTime, id, idParams, listOf, listQuery, nothing, version } from './common.ts';
import { permissions, type AdminPermission, type SharedPermission } from './permissions.ts';

/**
 * The plain part of an entity: its rows are listed, read, created, changed and removed. `crud` of the server
 * (`apps/server/src/crud.ts`) handles these routes.
 */

/** An entity as it is answered. `version` grows with every change, and a change names the one that it was built on. */
export function entity<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ id, ...shape, version, created_at: dateTime, updated_at: dateTime });
}

/** One of a customer's, or of the platform's: its owner is null then. */
export function ownedEntity<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return entity({ client_id: id.nullable(), client_name: z.string().nullable(), ...shape });
}

/**
 * Whose rows they are: of the platform, for administrators alone; or of customers, who see and change their own, and of the
 * platform.
 */
type Owner = 'platform' | 'client';
type PermissionFor<Of extends Owner> = Of extends 'client' ? SharedPermission : AdminPermission;
/** What has permissions to read and to write it; where there is one to delete it, removing asks for that. */
type Subject<Name extends string> = Name extends `${infer Of}.write` ? Of : never;

type Sentences = { list: string } & Partial<Record<'get' | 'create' | 'update' | 'remove', string>>;

interface Definition<Of extends Owner, Input, Create, Item, Filters> {
  /** Under `/prod-api/`. */
  path: string;
  owner: Of;
  permission: Subject<PermissionFor<Of>>;
  /** What is sent to change one: all of it, and the version it was built on. */
  input: Input;
  /** What is sent to create one, where that is more. */
  createInput?: Create;
  item: Item;
  filters: Filters;
  /** Sentences for the API description, where a plain one does not say enough. */
  summaries: Sentences;
}

type Named<Specs, One extends string, Many extends string> = {
  [Kind in keyof Specs as Kind extends 'list' ? `list${Many}` : `${Kind & string}${One}`]: Specs[Kind];
};
type Versioned<Input> =
  Input extends z.ZodObject<infer Shape>
    ? z.ZodObject<Shape & { version: typeof version }, z.core.$strict>
    : never;

/** Who may read, write and remove. */
function accessOf<Of extends Owner>(owner: Of, permission: string) {
  const to = (what: string) =>
    ({ kind: owner === 'client' ? 'both' : 'admin', permission: `${permission}.${what}` }) as unknown as {
      kind: Of extends 'client' ? 'both' : 'admin';
      permission: PermissionFor<Of>;
    };
  const write = to('write');
  return { read: to('read'), write, remove: `${permission}.delete` in permissions ? to('delete') : write };
}

/** What the API description says of each. */
function sentencesOf(one: string, said: Sentences): Required<Sentences> {
  const word = one.replace(/\B[A-Z]/g, ' $&').toLowerCase();
  const a = /^[aeiou]/.test(word) ? 'an' : 'a';
  const plain = { get: `Get ${a} ${word}.`, create: `Create ${a} ${word}.`, update: `Change ${a} ${word}.` };
  return { ...plain, remove: `Delete ${a} ${word}.`, ...said };
}

/** The routes `listMANY`, `getONE`, `createONE`, `updateONE` and `removeONE`, for the entity's `defineRoutes`. */
export function crudRoutes<
  const One extends string,
  const Many extends string,
  const Of extends Owner,
  Input extends z.ZodObject,
  Item extends z.ZodObject,
  Filters extends Record<string, z.core.$ZodType>,
  Create extends z.ZodObject = Input,
>(one: One, many: Many, definition: Definition<Of, Input, Create, Item, Filters>) {
  const { owner, permission, input, item, filters } = definition;
  const access = accessOf(owner, permission);
  const summary = sentencesOf(one, definition.summaries);
  const path = `/prod-api/${definition.path}` as const;
  const each = { path: `${path}/{id}`, params: idParams } as const;
  const specs = {
    list: {
      method: 'GET',
      path,
      summary: summary.list,
      access: access.read,
      query: listQuery({ ids: chosenIds, ...filters }),
      response: listOf(item),
    },
    get: { ...each, method: 'GET', summary: summary.get, access: access.read, response: item },
    create: {
      method: 'POST',
      path,
      summary: summary.create,
      access: access.write,
      body: (definition.createInput ?? input) as Create,
      response: created,
    },
    update: {
      ...each,
      method: 'PUT',
      summary: summary.update,
      access: access.write,
      body: input.safeExtend({ version }) as unknown as Versioned<Input>,
      response: nothing,
    },
    remove: { ...each, method: 'DELETE', summary: summary.remove, access: access.remove, response: nothing },
  } as const;
  const nameOf = (kind: string) => (kind === 'list' ? `list${many}` : `${kind}${one}`);
  const named = Object.entries(specs).map(([kind, spec]) => [nameOf(kind), spec]);
  return Object.fromEntries(named) as Named<typeof specs, One, Many>;
}
