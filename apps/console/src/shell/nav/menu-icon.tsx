import { Box } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Icon, isIcon } from '../../kit/icon.tsx';
import { fetchIcon } from './remote-icon.ts';

/** The icon that a menu names: bundled, or fetched when the server names one that is not; a neutral one otherwise. */
export function MenuIcon({ name, size = 22 }: { name: string; size?: number }) {
  if (isIcon(name)) return <Icon name={name} size={size} />;
  return <RemoteIcon name={name} size={size} />;
}

function RemoteIcon({ name, size }: { name: string; size: number }) {
  const { data } = useQuery({
    queryKey: ['remote icon', name],
    queryFn: ({ signal }) => fetchIcon(name, signal),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  });
  if (!data) return <Icon name="empty" size={size} />;
  // As a mask, a picture from elsewhere can neither run nor load anything, and takes the colour of the text.
  const mask = `url("${data}") center / contain no-repeat`;
  return (
    <Box
      component="span"
      aria-hidden
      sx={{ display: 'inline-block', width: size, height: size, bgcolor: 'currentColor', mask }}
    />
  );
}
