/** What is wrong with a file that was sent. */
export const fileIssues = {
  file_too_large: { zh: '文件过大，最大 {line} KB', en: 'This file is too large: at most {line} KB' },
  file_expected: { zh: '请以文件形式上传', en: 'Send this field as a file' },
  file_type: { zh: '文件内容不是允许的类型', en: 'What this file holds is not of a type that is taken here' },
  file_json: { zh: '文件不是有效的 JSON', en: 'This file is no valid JSON' },
} as const;
