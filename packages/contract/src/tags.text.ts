export const tagsIssues = {
  tag_owner: {
    zh: '该标签属于某个客户，只能用于该客户的站点',
    en: 'This tag belongs to a customer and can only be used on sites of that customer',
  },
} as const;
