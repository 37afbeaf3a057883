import { useParams } from '@tanstack/react-router';

/** The number that `{id}` of the screen's path stands for; the router lets no other text through. */
export function useIdParam(): number {
  const { id } = useParams({ strict: false }) as { id?: string };
  return Number(id);
}
