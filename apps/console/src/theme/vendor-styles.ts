import type { StylisPlugin } from '@emotion/cache';

/**
 * In place of Emotion's own prefixes, for browsers that the console is built for (2023 and later). Those make up to four rules of
 * one, and a rule for another vendor's pseudo-element is an exception each time: half of what it takes to insert a page's styles.
 */
export const vendorStyles: StylisPlugin = (element) => {
  // The one property that Safari still knows by this name only.
  if (element.type === 'decl' && element.props === 'user-select' && !element.return)
    element.return = `-webkit-${element.value}${element.value}`;
  // MUI's buttons and inputs have some for Firefox before 88, Internet Explorer and the Edge before Chromium.
  if (element.type === 'rule' && (element.props as string[]).every((selector) => foreign.test(selector)))
    element.children = [];
};

const foreign = /:-(?:moz-focus-inner|moz-placeholder|ms-input-placeholder)/;
