let name = '';

/** Which nginx.conf this worker was started with: after a reload, another. */
export function configuration(): string {
  return name;
}

export function nameConfiguration(given: string): void {
  name = given;
}
