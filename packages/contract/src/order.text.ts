export const orderIssues = {
  price_absent: { zh: '该套餐不提供此付款周期', en: 'This plan is not available for this billing cycle' },
} as const;
