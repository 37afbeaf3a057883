export const ipDataIssues = {
  ip_file_format: {
    zh: '不是完整的 MaxMind DB（.mmdb）文件',
    en: 'Not a complete MaxMind DB (.mmdb) file',
  },
  ip_file_nothing: {
    zh: '文件中没有可识别的国家或地区、省份、运营商或 ASN 字段',
    en: 'The file has no recognized country, province, carrier or ASN fields',
  },
  ip_file_part: { zh: '该文件不含此类数据', en: 'The file does not contain this kind of data' },
  ip_file_unusable: {
    zh: '无法用该文件生成数据：内容过多，或缺少 IPv4 地址',
    en: 'No data can be generated from this file: it is too large, or has no IPv4 addresses',
  },
} as const;
