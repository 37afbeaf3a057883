export function ChartsSection() { return null; }
