export const tagsIssues = {
  tag_owner: {
    zh: '该标签属于某个客户，只能用于该客户的站点',
    en: 'This tag is a customer’s; it stands on the sites of that customer only',
  },
} as const;
