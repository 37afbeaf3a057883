/** A fault in how the console is put together, which trying again cannot mend: error pages pass it on. */
export class FatalError extends Error {
  override name = 'FatalError';
}
