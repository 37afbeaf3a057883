export function FormsSection() { return null; }
