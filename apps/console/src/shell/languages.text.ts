import type { Language } from '@breakwater/contract';

/** Each language by its own name. */
export const languageNames: Record<Language, string> = { zh: '简体中文', en: 'English' };
