export function ValuesSection() { return null; }
