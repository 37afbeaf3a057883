import { call, type Arguments, type Row } from './client.ts';
import type { ListName } from './options.ts';
import { queryClient } from './query.ts';

/** A row of a list as it is by now; nothing where it is gone. The list itself is read anew where it is shown. */
export async function readRow<Name extends ListName>(name: Name, id: number): Promise<Row<Name> | undefined> {
  void queryClient.invalidateQueries({ queryKey: [name] });
  const answer: unknown = await call(name, { query: { ids: String(id) } } as unknown as Arguments<Name>);
  return (answer as { list: Row<Name>[] }).list[0];
}
