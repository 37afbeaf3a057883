import { X509Certificate } from 'node:crypto';
import { invalid } from '../../api-error.ts';
import { blocksOf } from './certificate-pem.ts';

/** Refuses what holds no certificates of authorities, for visitors' certificates to be checked against. */
export function checkAuthorities(pem: string, path: string): void {
  const blocks = blocksOf(pem);
  const isGood = blocks.every((block) => {
    try {
      return new X509Certificate(block).ca;
    } catch {
      return false;
    }
  });
  if (!isGood || blocks.length === 0) throw invalid(path, 'authority_invalid');
}
