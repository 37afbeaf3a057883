import { describe, expect, it } from 'vitest';
import { orderOf } from './table-view.ts';

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
