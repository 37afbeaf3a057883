export const orderIssues = {
  price_absent: { zh: '该产品不提供此付款周期', en: 'The product is not sold for this cycle' },
} as const;
