export const httpFilterIssues = {
  filter_pattern: {
    zh: '规则由 2 至 5 段文字组成，段间用“*”分隔，例如“代开*发票”',
    en: 'A pattern has 2 to 5 parts with “*” between them, such as “buy*pills”',
  },
  filter_image_hash: {
    zh: '请输入 16 位十六进制的图片特征',
    en: 'Enter an image hash of 16 hexadecimal digits',
  },
  filter_image: {
    zh: '无法从此图片得到特征，请选择有明显内容的 JPEG、PNG、WebP、GIF 或 AVIF 图片',
    en: 'No hash can be made from this image. Choose a JPEG, PNG, WebP, GIF or AVIF image with distinct content',
  },
  filter_image_size: { zh: '图片不能超过 2 MB', en: 'The image must not exceed 2 MB' },
  filter_hash: { zh: '请输入 64 位十六进制的 SHA-256', en: 'Enter a SHA-256 of 64 hexadecimal digits' },
  filter_words: {
    zh: '所有分类最多 100000 个监控词',
    en: 'All categories together can have at most 100,000 words',
  },
  violation_submitted: {
    zh: '访客提交的内容不影响页面，可确认、标记为不违规，或暂停站点',
    en: 'Visitor submissions do not affect the page. Confirm or dismiss this one, or suspend the site',
  },
  violation_closed: { zh: '此记录已无需申诉', en: 'This record no longer needs an appeal' },
} as const;
