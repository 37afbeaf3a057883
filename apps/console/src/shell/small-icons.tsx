import type { ReactNode } from 'react';

/** The few icons of the pages before sign-in, drawn here so that those pages need not wait for the whole set. */
const shapes = {
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  'eye-closed': <path d="M3 10.5c2 3 5.2 4.5 9 4.500s7-1.5 9-4.500M7 14l-1.5 2.500M12 15v3M17 14l1.5 2.5" />,
  moon: <path d="M20.5 14.500A8.8 8.8 0 0 1 9.5 3.500a8.8 8.8 0 1 0 11 11Z" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4.5" />
      <path d="M12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M18.7 5.300l-1.4 1.400M6.7 17.300l-1.4 1.4" />
    </>
  ),
  warning: <path d="M12 3 2.5 20h19zM12 10v4.500M12 17.200v.1" />,
} satisfies Record<string, ReactNode>;

export function SmallIcon({ name, size = 22 }: { name: keyof typeof shapes; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {shapes[name]}
    </svg>
  );
}
