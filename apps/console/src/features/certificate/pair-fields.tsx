import { Alert, Button, Stack, Typography } from '@mui/material';
import {
  useWatch,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type UseFormReturn,
} from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { useFieldMessage } from '../../kit/form/form.tsx';
import { useTells } from '../../kit/form/shown.ts';
import { ChooseFiles } from './choose-files.tsx';
import { fileBytesMax, readPairFile } from './pair-file.ts';
import { certificateText } from './certificate.text.ts';

/** As the contract has them: PEM in two fields, or a PKCS#12 file in base64 with its password. */
type PairField = 'certificate' | 'private_key' | 'pfx' | 'pfx_password';

/** A certificate and its key: pasted, or out of files. The form has the fields of `PairField`. */
export function PairFields<Input extends FieldValues, Output>({
  form,
  keyHint,
}: {
  form: UseFormReturn<Input, unknown, Output>;
  keyHint?: string;
}) {
  const t = useText(certificateText);
  const { control } = form;
  const name = (field: PairField) => field as FieldPath<Input>;
  const pfx = useWatch({ control, name: name('pfx') }) as string | undefined;
  const set = (field: PairField, value: string) =>
    form.setValue(name(field), value as PathValue<Input, FieldPath<Input>>, {
      shouldDirty: true,
      // As fields do that are typed in: judged while typing once the form was sent, not before.
      shouldValidate: form.formState.isSubmitted,
    });
  const read = async (files: readonly File[]) => {
    if (files.some((file) => file.size > fileBytesMax))
      return form.setError(name('certificate'), { message: t.fileTooLarge });
    // A chain may come in several files: each is added below what is there. A PFX holds all of it and stands alone.
    for (const file of files) {
      const found = await readPairFile(file);
      const before = form.getValues(name(found.field)) as string | undefined;
      set(found.field, found.field === 'pfx' || !before ? found.text : `${before.trimEnd()}\n${found.text}`);
    }
  };
  return (
    <>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <ChooseFiles label={t.chooseFile} onChoose={(files) => void read(files)} />
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.fileHint}
        </Typography>
      </Stack>
      {pfx ? (
        <PfxFields form={form} onTakeAway={() => (set('pfx', ''), set('pfx_password', ''))} />
      ) : (
        <>
          <TextInput
            control={control}
            name={name('certificate')}
            label={t.certificate}
            hint={t.certificateHint}
            rows={7}
            monospaced
            placeholder="-----BEGIN CERTIFICATE-----"
          />
          <TextInput
            control={control}
            name={name('private_key')}
            label={t.privateKey}
            hint={keyHint}
            rows={7}
            monospaced
            placeholder="-----BEGIN PRIVATE KEY-----"
          />
        </>
      )}
    </>
  );
}

function PfxFields<Input extends FieldValues, Output>({
  form,
  onTakeAway,
}: {
  form: UseFormReturn<Input, unknown, Output>;
  onTakeAway: () => void;
}) {
  const t = useText(certificateText);
  useTells(form.control, 'pfx', t.pfx);
  const message = useFieldMessage()(
    form.getFieldState('pfx' as FieldPath<Input>, form.formState).error?.message,
  );
  return (
    <>
      <Alert
        severity={message ? 'error' : 'info'}
        action={
          <Button size="small" color="inherit" onClick={onTakeAway}>
            {t.takeAway}
          </Button>
        }
      >
        {message ?? t.pfx}
      </Alert>
      <TextInput
        control={form.control}
        name={'pfx_password' as FieldPath<Input>}
        label={t.pfxPassword}
        type="password"
        autoComplete="new-password"
      />
    </>
  );
}
