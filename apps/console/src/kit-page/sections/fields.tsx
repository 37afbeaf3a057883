export function FieldsSection() { return null; }
