import { useState } from 'react';
import { ApiError, call } from '../../api/client.ts';
import { canUsePasskeys } from '../../api/passkey.ts';
import { session } from '../../api/session.ts';
import { useText } from '../../i18n/text.ts';
import { authText } from './auth.text.ts';

/** The button for it, where the browser can. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<unknown> }) {
  const t = useText(authText).signIn;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (!canUsePasskeys()) return null;
  const signIn = async () => {
    setBusy(true);
    setError(null);
    try {
      await signInByPasskey();
      await onSignedIn();
    } catch (reason) {
      // What a browser says of a dialog that was closed is for developers.
      setError(reason instanceof ApiError ? reason.message : t.passkeyFailed);
    }
    setBusy(false);
  };
  return (
    <>
      <button type="button" className="button passkey" disabled={busy} onClick={() => void signIn()}>
        {t.passkey}
      </button>
      {error && (
        <p role="alert" className="notice error">
          {error}
        </p>
      )}
    </>
  );
}

/** The passkey itself says whose console it is for. */
async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { challenge, relying_party: rpId } = await call('startPasskeySignIn', {});
  const { id, response } = await startAuthentication({
    optionsJSON: { challenge, rpId, userVerification: 'required' },
  });
  const body = {
    credential_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    assertion: response.signature,
  };
  const handle = atob((response.userHandle ?? '').replaceAll('-', '+').replaceAll('_', '/'));
  const isCustomer = !handle.startsWith('admin:');
  const data = isCustomer
    ? await call('signInClientByPasskey', { body })
    : await call('signInAdminByPasskey', { body });
  session.start(isCustomer ? 'user' : 'admin', data);
}
