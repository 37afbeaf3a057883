import type { LogStoreInfo } from '@breakwater/contract';
import type { Tone } from '../../kit/status-chip.tsx';

/** Yellow: it works, and somebody should look. Red: some of it cannot be read. */
export const healthTones: Readonly<Record<LogStoreInfo['health'], Tone>> = {
  green: 'success',
  yellow: 'warning',
  red: 'error',
};
