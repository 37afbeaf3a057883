import { Typography } from '@mui/material';
import type { ReactNode } from 'react';
import type { Column } from '../kit/table/data-table.tsx';
import { formatCount } from '../kit/format.ts';
import { to, type Target } from '../kit/links.ts';
import { TextLink } from '../kit/router-link.tsx';
import { readable } from '../kit/readable.tsx';
import { StatusChip, type Tone } from '../kit/status-chip.tsx';
import { Time } from '../kit/time.tsx';
import type { Restricted } from './restricted.ts';

/** The names of the fields of a row that hold such a value. */
type KeyOf<Item, Value> = {
  [Key in keyof Item & string]: Item[Key] extends Value ? Key : never;
}[keyof Item & string];
type Of<Item> = (row: Item) => ReactNode;
type More<Item> = Omit<Restricted<Column<Item>>, 'id' | 'header' | 'cell'>;

export type ColumnsFor<Item extends object> = ReturnType<typeof columnsFor<Item>>;

/** The columns that many lists have. Any other is written out. */
export function columnsFor<Item extends object>() {
  type Made = Restricted<Column<Item>>;
  const valueOf = (row: Item, key: string) => (row as Record<string, unknown>)[key];
  return {
    /** What a row is called, as a link where it has a page of its own, with what tells it from others beside it. */
    name: (
      header: string,
      nameOf: Of<Item>,
      { target, note }: { target?: (row: Item) => Target; note?: (row: Item) => string } = {},
    ): Made => ({
      id: 'name',
      header,
      cell: (row) => (
        <>
          {target ? <TextLink target={target(row)}>{nameOf(row)}</TextLink> : readable(nameOf(row))}
          {/* A description that only repeats the name, as forms fill it in, says nothing more. */}
          {note && note(row) !== nameOf(row) && <Note text={note(row)} />}
        </>
      ),
    }),
    text: (key: KeyOf<Item, string | null>, header: string, more: More<Item> = {}): Made => ({
      id: key,
      header,
      cell: (row) => (valueOf(row, key) as string | null) || '–',
      ...more,
    }),
    /** How many there are, as a link to them where there is a list of them. */
    count: (key: KeyOf<Item, number>, header: string, target?: (row: Item) => Target): Made => ({
      id: key,
      header,
      align: 'right',
      cell: (row) => {
        const count = formatCount(valueOf(row, key) as number);
        return target ? <TextLink target={target(row)}>{count}</TextLink> : count;
      },
    }),
    time: (
      key: KeyOf<Item, string | null>,
      header: string,
      { relative = false, never = '–', ...more }: More<Item> & { relative?: boolean; never?: string } = {},
    ): Made => ({
      id: key,
      header,
      cell: (row) => {
        const at = valueOf(row, key) as string | null;
        return at === null ? never : <Time at={at} relative={relative} />;
      },
      whole: true,
      ...more,
    }),
    status: (
      header: string,
      look: (row: Item) => { tone: Tone; label: string; hint?: string | undefined },
    ): Made => ({
      id: 'status',
      header,
      cell: (row) => <StatusChip {...look(row)} />,
      whole: true,
    }),
    /** The site that it is about, by its name; one without domains by its number. */
    site: (header: string): Made => ({
      id: 'site',
      header,
      cell: (row) => {
        const { site_id: id, site_name: name } = row as OfSite;
        return <TextLink target={to.siteDetail({ id })}>{name || `#${id}`}</TextLink>;
      },
    }),
    /** Whose it is, for administrators: a customer's, or the platform's. */
    owner: (header: string, platform = '–'): Made => ({
      id: 'owner',
      header,
      role: 'admin',
      cell: (row) => {
        const { client_id: id, client_name: name } = row as Owned;
        return id === null ? platform : <TextLink target={to.clientDetail({ id })}>{name}</TextLink>;
      },
    }),
  };
}

interface OfSite {
  site_id: number;
  site_name: string;
}

interface Owned {
  client_id: number | null;
  client_name: string | null;
}

function Note({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <Typography component="span" variant="body2" sx={{ mx: 1, color: 'text.secondary', fontWeight: 400 }}>
      {text}
    </Typography>
  );
}
