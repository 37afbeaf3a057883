import { compile, middleware, serialize, stringify } from 'stylis';
import { expect, test } from 'vitest';
import { vendorStyles } from './vendor-styles.ts';

const styled = (css: string): string => serialize(compile(css), middleware([vendorStyles, stringify]));

test('rules for browsers that are gone are left out, and those beside them stay', () => {
  expect(
    styled(
      '.a{color:red;&::-moz-focus-inner{border:0;}&::placeholder{color:blue;}&:-ms-input-placeholder{color:blue;}}',
    ),
  ).toBe('.a{color:red;}.a::placeholder{color:blue;}');
  expect(styled('.a::-moz-placeholder,.b{color:red;}')).toBe('.a::-moz-placeholder,.b{color:red;}');
});

test('no rule is written in several forms, but for the name that Safari knows', () => {
  expect(styled('.a{display:flex;user-select:none;}')).toBe(
    '.a{display:flex;-webkit-user-select:none;user-select:none;}',
  );
});
