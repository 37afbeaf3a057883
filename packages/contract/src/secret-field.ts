/** Fields of a configuration that are secrets, by their names: they can be written, and are never read back. */
export function isSecretField(name: string): boolean {
  return /(?:^|_)(?:secret|password|secret_access_key|private_key)$/.test(name);
}
