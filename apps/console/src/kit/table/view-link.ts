import { useRouter } from '@tanstack/react-router';
import { writeClipboard } from '../copy-text.tsx';

/** Copies the address of this screen with other values in its search. It begins on the first page. */
export function useViewLink() {
  const router = useRouter();
  return (values: Record<string, unknown>): Promise<void> => {
    const { search, pathname } = router.state.location;
    const { href } = router.buildLocation({
      to: pathname,
      search: { ...(search as object), current_page: undefined, ...values },
    } as never);
    return writeClipboard(new URL(router.history.createHref(href), location.href).href);
  };
}
