import './fonts.css';

/** The families that a reader may choose; files of one are fetched when it is first chosen. */
export const fontFamilies = ['Public Sans Variable', 'Inter', 'DM Sans', 'Nunito Sans'] as const;
export type FontFamily = (typeof fontFamilies)[number];

const families: Record<FontFamily, { names: string[]; load: () => Promise<unknown> }> = {
  'Public Sans Variable': {
    names: ['Public Sans Variable', 'Public Sans Fallback'],
    load: () => import('@fontsource-variable/public-sans/index.css'),
  },
  Inter: {
    names: ['Inter Variable', 'Inter Fallback'],
    load: () => import('@fontsource-variable/inter/index.css'),
  },
  'DM Sans': {
    names: ['DM Sans Variable', 'DM Sans Fallback'],
    load: () => import('@fontsource-variable/dm-sans/index.css'),
  },
  'Nunito Sans': {
    names: ['Nunito Sans Variable', 'Nunito Sans Fallback'],
    load: () => import('@fontsource-variable/nunito-sans/index.css'),
  },
};

/** Chinese comes from the system: a web font of it weighs megabytes. */
const chinese = [
  'PingFang SC',
  'Hiragino Sans GB',
  'Microsoft YaHei',
  'Noto Sans SC',
  'Noto Sans CJK SC',
  'WenQuanYi Micro Hei',
];

export function fontStack(family: FontFamily): string {
  return (
    [...families[family].names, ...chinese].map((name) => `"${name}"`).join(', ') + ', system-ui, sans-serif'
  );
}

/** Fetches a family's faces. Until they are there, or if they never come, its fallback has its place. */
export function loadFont(family: FontFamily): void {
  families[family].load().catch((error: unknown) => console.warn(`cannot load the font ${family}`, error));
}
