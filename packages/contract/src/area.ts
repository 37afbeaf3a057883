import * as z from 'zod';
import {
  created,
  dateTime,
  description,
  id,
  idParams,
  listOf,
  listQuery,
  name,
  nothing,
  optionalText,
} from './common.ts';
import { defineRoutes } from './define.ts';

/** An area is where nodes stand; it orders them, nothing more. */
export const areaInput = z.strictObject({ name, description: description.default('') });
export const area = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  node_count: z.int(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Area = z.infer<typeof area>;

export const areaRoutes = defineRoutes({
  listAreas: {
    method: 'GET',
    path: '/prod-api/area',
    summary: 'Areas by name.',
    access: { kind: 'admin', permission: 'area.read' },
    query: listQuery({ name: optionalText }),
    response: listOf(area),
  },
  getArea: {
    method: 'GET',
    path: '/prod-api/area/{id}',
    summary: 'One area.',
    access: { kind: 'admin', permission: 'area.read' },
    params: idParams,
    response: area,
  },
  createArea: {
    method: 'POST',
    path: '/prod-api/area',
    summary: 'Create an area.',
    access: { kind: 'admin', permission: 'area.write' },
    body: areaInput,
    response: created,
  },
  updateArea: {
    method: 'PUT',
    path: '/prod-api/area/{id}',
    summary: 'Change an area.',
    access: { kind: 'admin', permission: 'area.write' },
    params: idParams,
    body: areaInput,
    response: nothing,
  },
  removeArea: {
    method: 'DELETE',
    path: '/prod-api/area/{id}',
    summary: 'Delete an area that has no nodes.',
    access: { kind: 'admin', permission: 'area.write' },
    params: idParams,
    response: nothing,
  },
});
