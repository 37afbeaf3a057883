import type { SQL } from 'drizzle-orm';

/** Which fields of a contract a table has columns for, and which ones `crud` has to be told of. */

/** The column of a field: `line_group_id` is in `lineGroupId`. */
type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
/** Fields that are not taken from a column of theirs, but are known all the same. */
type Derived<Row> = (Row extends { clientId: unknown } ? 'client_name' : never) | `${string}_set`;
type Answered<Value> = Value extends Date ? string : Value;
type HasColumn<Name, Value, Row> =
  Camel<Name> extends keyof Row ? (Answered<Row[Camel<Name>]> extends Value ? true : false) : false;
/** Of an answer, the fields that no column gives as they are. */
export type Computed<Item, Row> = {
  [
    Name in keyof Item as Name extends Derived<Row>
      ? never
      : HasColumn<Name, Item[Name], Row> extends true
        ? never
        : Name
  ]: SQL<Item[Name]>;
};

/** Fields of an input whose values are stored by the frame: secrets, the owner, the version. */
type Kept<Input> = {
  [Name in keyof Input]: Name extends 'client_id' | 'version' | `${string}_set`
    ? Name
    : Name extends string
      ? `${Name}_set` extends keyof Input
        ? Name
        : never
      : never;
}[keyof Input];
/** Of an input, the fields that go into no column as they are. */
export type Converted<Input, Insert> = {
  [
    Name in Exclude<keyof Input, Kept<Input>> as Camel<Name> extends keyof Insert
      ? Input[Name] extends Insert[Camel<Name>]
        ? never
        : Name
      : Name
  ]: Input[Name];
};
