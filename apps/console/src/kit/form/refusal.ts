/** What a refused save says; the API client's error is one. */
interface Refusal {
  code: number;
  message: string;
  fields: readonly { path: string; message: string }[];
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'code' in error && 'fields' in error;
}
