let name = '';

/** Which nginx.conf this worker was started with: after a reload, another. */
export function configuration(): string {
  return name;
}

export function nameConfiguration(given: string): void {
  name = given;
}

let node = '';

/** What this node is called, by which rules for some of the nodes choose them. */
export function nodeName(): string {
  return node;
}

export function nameNode(given: string): void {
  node = given;
}
