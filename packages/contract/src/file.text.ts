/** What is wrong with a file that was sent. */
export const fileIssues = {
  file_too_large: { zh: '文件过大，最大 {line} KB', en: 'The file is too large (maximum {line} KB)' },
  file_expected: { zh: '请以文件形式上传', en: 'Upload this field as a file' },
  file_type: { zh: '不支持此文件类型', en: 'This file type is not supported' },
  file_json: { zh: '文件不是有效的 JSON', en: 'The file is not valid JSON' },
} as const;
