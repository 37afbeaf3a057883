import { ApiError } from '../../api/client.ts';
import { commonIssues } from '@breakwater/contract/common.text';
import { useId, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { authText } from './auth.text.ts';
import { SmallIcon } from '../small-icons.tsx';

/** What was entered, or what is wrong with each field. */
export type Checked<Values> = { values: Values } | { wrong: Record<string, GuestIssue> };
/** What a form before sign-in finds wrong by itself; the server says the rest in words. Every text there is would weigh more than the page. */
export type GuestIssue = 'required' | 'invalid' | 'too_short' | 'too_long';

/**
 * The forms before sign-in. They are plain ones of the browser: the kit's, with all their fields, would be most of what
 * a visitor waits for.
 */
interface AuthFormProps<Values> {
  read: (entered: Record<string, string>) => Checked<Values>;
  heading: string;
  hint?: string;
  submitLabel: string;
  save: (values: Values) => Promise<void>;
  /** The fields, given what is wrong with each. */
  children: (errorOf: (name: string) => string | undefined) => ReactNode;
}

export function AuthForm<Values>({
  read,
  heading,
  hint,
  submitLabel,
  save,
  children,
}: AuthFormProps<Values>) {
  const language = useLanguage();
  const [fields, setFields] = useState<Record<string, string>>({});
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const errorOf = (name: string) => {
    const message = fields[name];
    return message !== undefined && message in commonIssues
      ? commonIssues[message as GuestIssue][language]
      : message;
  };
  const submit = async (form: HTMLFormElement) => {
    const checked = read(Object.fromEntries(new FormData(form)) as Record<string, string>);
    setError(null);
    setFields('wrong' in checked ? checked.wrong : {});
    if ('wrong' in checked)
      return [...form.querySelectorAll('input')].find(({ name }) => name in checked.wrong)?.focus();
    setBusy(true);
    try {
      await save(checked.values);
    } catch (reason) {
      const refused = reason instanceof ApiError ? reason.fields : [];
      setFields(Object.fromEntries(refused.map(({ path, message }) => [path, message])));
      setError(refused.length > 0 ? null : reason instanceof Error ? reason.message : String(reason));
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <div>
        <h1>{heading}</h1>
        {hint && <p className="lead secondary">{hint}</p>}
      </div>
      {error && (
        <div role="alert" className="notice error">
          {error}
        </div>
      )}
      {children(errorOf)}
      <button type="submit" className="button filled submit" disabled={busy} aria-busy={busy}>
        {submitLabel}
      </button>
    </form>
  );
}

interface AuthFieldProps {
  name: string;
  label: string;
  autoComplete: string;
  error: string | undefined;
  hint?: string;
  type?: 'text' | 'email' | 'password';
  autoFocus?: boolean;
}

export function AuthField({
  name,
  label,
  autoComplete,
  error,
  hint,
  type = 'text',
  autoFocus = false,
}: AuthFieldProps) {
  const t = useText(authText);
  const id = useId();
  const [visible, setVisible] = useState(false);
  const toggleLabel = visible ? t.hidePassword : t.showPassword;
  return (
    <div className={error === undefined ? undefined : 'wrong'}>
      <div className="box">
        <input
          id={id}
          name={name}
          type={visible ? 'text' : type}
          // Nothing to read: while it shows, the field is empty and its label stands in it.
          placeholder=" "
          autoComplete={autoComplete}
          autoFocus={autoFocus}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint`}
        />
        <label htmlFor={id}>{label}</label>
        {type === 'password' && (
          <button
            type="button"
            className="icon-button"
            aria-label={toggleLabel}
            onClick={() => setVisible(!visible)}
          >
            <SmallIcon name={visible ? 'eye-closed' : 'eye'} />
          </button>
        )}
      </div>
      <p id={`${id}-hint`} className="hint">
        {error ?? hint}
      </p>
    </div>
  );
}

export function AuthSwitch({ question, link, to }: { question: string; link: string; to: string }) {
  return (
    <p className="switch secondary">
      {question}{' '}
      <a href={to} className="text-link">
        {link}
      </a>
    </p>
  );
}
