import { describe, expect, it } from 'vitest';
import { columnsAsked, columnsText, orderOf, viewOf } from './table-view.ts';

const columns = ['name', 'status', 'area', 'created'].map((id) => ({ id }));

describe('orderOf', () => {
  it('is the order of the columns by default', () =>
    expect(orderOf(columns, [])).toEqual(['name', 'status', 'area', 'created']));
  it('keeps the first column first', () =>
    expect(orderOf(columns, ['created', 'area', 'status', 'name'])).toEqual([
      'name',
      'created',
      'area',
      'status',
    ]));
  it('drops what is gone and takes in what is new at its place', () =>
    expect(orderOf(columns, ['name', 'gone', 'created', 'status'])).toEqual([
      'name',
      'created',
      'area',
      'status',
    ]));
  it('names no column twice', () =>
    expect(orderOf(columns, ['area', 'area'])).toEqual(['name', 'status', 'area', 'created']));
  it('is empty without columns', () => expect(orderOf([], ['name'])).toEqual([]));
});

describe('columns in an address', () => {
  it('are read as they were written', () =>
    expect(columnsAsked('sites', columnsText('sites', ['name', 'area']))).toEqual(['name', 'area']));
  it('are of one table', () => expect(columnsAsked('nodes', 'sites.name')).toBeUndefined());
  it('are none where nothing is asked', () => {
    expect(columnsAsked('sites', undefined)).toBeUndefined();
    expect(columnsAsked('sites', 'sites')).toBeUndefined();
  });
});

describe('what is stored of a view', () => {
  const byDefault = { shown: {}, order: [], density: 'compact', widths: {} };
  it('is taken as it was written', () => {
    const own = {
      shown: { area: false },
      order: ['name', 'area'],
      density: 'comfortable',
      widths: { name: 240 },
    };
    expect(viewOf(JSON.parse(JSON.stringify(own)))).toEqual(own);
  });
  it('is dropped where it is none, part by part', () => {
    for (const none of [undefined, null, 7, 'comfortable']) expect(viewOf(none)).toBeUndefined();
    expect(viewOf({})).toEqual(byDefault);
    expect(viewOf({ shown: 'all', order: 'name', density: 'airy', widths: null })).toEqual(byDefault);
    expect(
      viewOf({ shown: { area: 'no', id: true }, order: ['name', 1], widths: { name: '240', id: 1.5 } }),
    ).toEqual({ ...byDefault, shown: { id: true }, order: ['name'] });
  });
});
