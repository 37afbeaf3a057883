import { certificateChange, isGiven, type Certificate } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useRef } from 'react';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { GroupInput } from './group-input.tsx';
import { PairFields } from './pair-fields.tsx';
import { certificateText } from './certificate.text.ts';

interface CertificateReplaceFormProps {
  certificate: Certificate;
  onClose: () => void;
}

/** Another name for a certificate, which can be undone, or another certificate in its place: what was there before is not kept. */
export function CertificateReplaceForm({ certificate, onClose }: CertificateReplaceFormProps) {
  const t = useText(certificateText);
  const update = useChange('updateCertificate');
  const offer = useUndo();
  const last = useRef({ isReplaced: false, warnings: [] as string[] });
  const current = useApi('getCertificate', { params: { id: certificate.id } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(certificateChange, {
    entity: certificate,
    inputOf,
    update: async (params, body) => {
      const { warnings } = await update.mutateAsync({ params, body });
      // Whether it was replaced or only renamed is not told by the answer.
      last.current = { isReplaced: isGiven(body.certificate) || isGiven(body.pfx), warnings };
    },
    refetch: current.refetch,
    onSaved: (undo) => {
      const { isReplaced, warnings } = last.current;
      const said = isReplaced ? t.replaced : t.renamed;
      if (warnings.length > 0) notify.info(t.warned(said, warnings));
      else notify.success(said, isReplaced ? undefined : undo && offer(undo));
      onClose();
    },
  });
  const { control } = form;
  return (
    <FormDrawer title={t.editTitle} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <GroupInput control={control} clientId={certificate.client_id ?? undefined} />
      <Box>
        <SectionHeading title={t.replaceTitle} hint={t.replaceHint} />
      </Box>
      {/* A certificate for the same key can be pasted alone. */}
      <PairFields form={form} keyHint={t.privateKeyKept} />
      <SwitchInput control={control} name="allow_uncovered" label={t.allowUncovered} />
    </FormDrawer>
  );
}

/** Secrets have no value to begin with: there is always a key, and it is never shown. */
const inputOf = (certificate: Certificate | null) => ({
  name: certificate?.name ?? '',
  group_name: certificate?.group_name ?? '',
  certificate: '',
  allow_uncovered: false,
});
