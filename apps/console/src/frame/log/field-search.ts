import {
  logTextMax,
  readExclusions,
  requestUriTextMax,
  statisticsRoutes,
  writeExclusions,
  type AccessLogRow,
  type ExcludableField,
} from '@breakwater/contract';

/** What a search can ask of a field of a record. */
export interface FieldSearch {
  /** This value, besides what is asked for already. */
  only: (log: AccessLogRow, field: ExcludableField) => void;
  /** All that has this value, whatever else was asked for: of an address within the same time. */
  all: (log: AccessLogRow, field: 'remote_addr' | 'request_id') => void;
  /** Anything but this value. */
  exclude: (log: AccessLogRow, field: ExcludableField) => void;
}

/** Searches whose filter is called otherwise than the field. */
const filterNames: Partial<Record<ExcludableField, string>> = {
  referer: 'http_referer',
  status: 'status_code',
  country: 'geoip_country_code',
};
/** Filters that find by any part: of more than they take, the beginning will do. */
const partMax: Partial<Record<ExcludableField, number>> = {
  request_uri: requestUriTextMax,
  referer: logTextMax,
  user_agent: logTextMax,
};
const { shape } = statisticsRoutes.listAccessLogs.query;
const times = ['start_time', 'end_time'];
const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

interface FieldSearchOptions {
  /** What the search leaves out already. */
  exclude: string | undefined;
  setSearch: (patch: Record<string, unknown>) => void;
  /** There is no room for one more value to leave out. */
  onFull: () => void;
}

/** What the buttons beside a record's values do to the search. */
export function fieldSearchOf({ exclude, setSearch, onFull }: FieldSearchOptions): FieldSearch {
  return {
    only: (log, field) =>
      setSearch({ [filterNames[field] ?? field]: String(log[field]).slice(0, partMax[field]) }),
    all: (log, field) => {
      const others = Object.keys(shape).filter((name) => field === 'request_id' || !times.includes(name));
      const kept = ['page_size', 'time_sort'];
      setSearch({ ...none(others.filter((name) => !kept.includes(name))), [field]: log[field] });
    },
    exclude: (log, field) => {
      const value = String(log[field]);
      const others = (readExclusions(exclude ?? '') ?? []).filter(
        (each) => each.field !== field || each.value !== value,
      );
      const text = writeExclusions([...others, { field, value }]);
      // A visitor may send a line break; the list of what is left out has a line for each.
      if (value.includes('\n') || !shape.exclude.safeParse(text).success) onFull();
      else setSearch({ exclude: text });
    },
  };
}
