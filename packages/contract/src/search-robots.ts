/** Robots of search engines whose addresses can be proven by the names they have in DNS. */
export const searchRobots = [
  'google',
  'bing',
  'baidu',
  'sogou',
  'yisou',
  'bytespider',
  'petal',
  'yandex',
  'apple',
  'yahoo',
  'naver',
  'seznam',
] as const;
export type SearchRobot = (typeof searchRobots)[number];
