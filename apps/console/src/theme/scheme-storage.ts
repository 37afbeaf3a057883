import type { StorageManager } from '@mui/material/styles';
import { storage } from '../api/storage.ts';
import { settings } from './settings.ts';

export const schemeKey = 'theme-mode';

/**
 * Where MUI keeps the scheme. The settings rule; `theme-mode` is written for whoever reads it. Which palette each
 * scheme has is no choice here, so MUI's other keys are not kept.
 */
export const schemeStorage: StorageManager = ({ key }) => ({
  get: (byDefault: unknown) => (key === schemeKey ? settings.get().colorScheme : byDefault),
  set: (value: unknown) => {
    if (key === schemeKey) storage.write(key, String(value));
  },
  subscribe: () => () => undefined,
});
