import { routes } from '@breakwater/contract';
import { expect, test } from 'vitest';
import { parseSearch } from './search-values.ts';

const { query } = routes.listAccessLogs;

test('an address without a search is the defaults', () => {
  expect(parseSearch(query, {})).toEqual({ current_page: 1, page_size: 10, time_sort: 'desc' });
});

test('what fits is taken over as its type, what does not is as if it were absent', () => {
  const search = parseSearch(query, {
    status_code: '404',
    host: '123',
    page_size: '5000',
    site_id: 'x',
    unknown: '1',
    time_sort: 'up',
  });
  expect(search).toEqual({
    current_page: 1,
    page_size: 10,
    time_sort: 'desc',
    status_code: 404,
    host: '123',
  });
});
