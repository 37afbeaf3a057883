import type { LogStoreInfo } from '@breakwater/contract';
import type { Tone } from '../../kit/status-chip.tsx';

export const healthTones: Readonly<Record<LogStoreInfo['health'], Tone>> = {
  green: 'success',
  yellow: 'warning',
  red: 'error',
};
