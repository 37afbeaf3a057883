import { passkeyName, passkeyStartInput, type Passkey } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { call, type Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { OwnPasswordInput } from './fields.tsx';

/**
 * Adds a passkey (WebAuthn Level 3): the server gives a challenge, the browser asks its user, and the server checks what was made.
 */
export function PasskeyForm({ onClose }: { onClose: () => void }) {
  const t = useText(accountText).passkeys;
  const add = useChange('addPasskey');
  const { partMissing } = useText(kitText);
  const form = useSchemaForm(passkeyStartInput, { name: '', password: '' });
  const submit = submitForm(form, async (body) => {
    const fail = (message: string) => form.setError('root.server', { message });
    const library = await import('@simplewebauthn/browser').catch(() => undefined);
    if (!library) return fail(partMissing);
    const options = await call('startPasskey', { body });
    // Whoever closes the browser's dialog changes their mind; that is no error to be reported.
    const made = await makeCredential(library, options).catch(() => undefined);
    if (!made) return fail(t.cancelled);
    await add.mutateAsync({ body: { name: body.name, ...made } });
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.addSubmit}>
      <TextInput control={form.control} name="name" label={t.name} hint={t.nameHint} autoFocus />
      <OwnPasswordInput control={form.control} name="password" />
    </FormDrawer>
  );
}

/** COSE algorithms that browsers and security keys have: EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];

/** The browser asks its user. Throws when they, or it, refuse. */
async function makeCredential(
  { startRegistration }: typeof import('@simplewebauthn/browser'),
  options: Data<'startPasskey'>,
) {
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: options.challenge,
      rp: { id: options.relying_party, name: options.app_name },
      user: { id: options.user_handle, name: options.username, displayName: options.username },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      // A device that has one of this account already says so, instead of making another.
      excludeCredentials: options.credential_ids.map((each) => ({ id: each, type: 'public-key' })),
      // Found without a name, and in place of password and code: it verifies who uses it.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  });
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
    transports: response.transports ?? [],
  };
}

/** There is no call that reads one passkey: the form reads them all, and takes its own. */
export function PasskeyNameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText(accountText).passkeys;
  const rename = useChange('renamePasskey');
  const offer = useUndo();
  // There are never more than one page of them.
  const all = useApi('listPasskeys', { query: { page_size: 100 } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(passkeyName, {
    entity: passkey,
    inputOf: (item) => ({ name: item?.name ?? '' }),
    update: (params, body) => rename.mutateAsync({ params, body }),
    refetch: async () => {
      const { data, error } = await all.refetch();
      return { data: data?.list.find(({ id }) => id === passkey.id), error };
    },
    onSaved: (undo) => {
      notify.success(t.saved, undo && offer(undo));
      onClose();
    },
  });
  return (
    <FormDrawer title={t.rename} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
    </FormDrawer>
  );
}
