import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { authText } from './auth.text.ts';
import { signInPath } from '../return-target.ts';

/** The methods that the product knows by name. This console signs in by `jwt`; the others lead nowhere. */
const methods: { name: string; label: string; shape: ReactNode }[] = [
  {
    name: 'jwt',
    label: 'Jwt',
    shape: (
      <path d="M12 3v5M12 16v5M3 12h5M16 12h5M5.6 5.6l3.6 3.6M14.8 14.8l3.6 3.6M18.4 5.6l-3.6 3.6M9.2 14.8l-3.6 3.6" />
    ),
  },
  { name: 'firebase', label: 'Firebase', shape: <path d="M5 18 8 4l3 6 2-3 6 11-7 3.5z" /> },
  { name: 'amplify', label: 'Amplify', shape: <path d="M3 19 10 6l2.5 4.5L8 19zM13 5l8 14M13 12l4 7" /> },
  {
    name: 'auth0',
    label: 'Auth0',
    shape: (
      <path d="M5 4h14v7c0 4-3 7-7 9.5C8 18 5 15 5 11zM12 8l1.2 2.6 2.8.2-2.2 1.8.8 2.8-2.6-1.6-2.6 1.6.8-2.8L8 10.8l2.8-.2z" />
    ),
  },
  { name: 'supabase', label: 'Supabase', shape: <path d="M13 3v9h7l-9 9v-9H4z" /> },
];

/** The current method, and those that are not enabled. */
export function AuthMethods() {
  const t = useText(authText);
  return (
    <ul aria-label={t.methods} className="methods">
      {methods.map(({ name, label, shape }) => (
        <li key={name}>
          {name === 'jwt' ? (
            <a href={signInPath} title={label} aria-label={label} aria-current="true" className="method">
              <Shape>{shape}</Shape>
            </a>
          ) : (
            <span
              role="link"
              title={t.methodOff(label)}
              aria-disabled="true"
              aria-label={t.methodOff(label)}
              className="method"
            >
              <Shape>{shape}</Shape>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Shape({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={22}
      height={22}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {children}
    </svg>
  );
}
