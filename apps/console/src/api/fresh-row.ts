import { call, type Row } from './client.ts';
import { askedOf, rowsIn, type ListName } from './options.ts';
import { queryClient } from './query.ts';

/** A row of a list as it is by now; nothing where it is gone. The list itself is read anew where it is shown. */
export async function readRow<Name extends ListName>(name: Name, id: number): Promise<Row<Name> | undefined> {
  void queryClient.invalidateQueries({ queryKey: [name] });
  return rowsIn(await call(name, askedOf<Name>({ ids: String(id) })))[0];
}
