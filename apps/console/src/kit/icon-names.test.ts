import { expect, test } from 'vitest';
import { iconNames } from './icon-names.ts';

test('no two names are one picture', () => {
  const pictures = Object.values(iconNames);
  expect(pictures.filter((picture, at) => pictures.indexOf(picture) !== at)).toEqual([]);
});
