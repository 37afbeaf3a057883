import { Alert, Button, Stack, Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../../api/account.ts';
import { useChange } from '../../../api/change.ts';
import { ApiError } from '../../../api/client.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { UnsavedGuard } from '../../../kit/form/form-parts.tsx';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { notify } from '../../../kit/toast.ts';
import { firstChoices } from './first-choices.ts';
import type { Read } from './upload.tsx';
import { UploadRow } from './upload-row.tsx';
import { uploadText } from './upload.text.ts';

interface UploadPreviewProps {
  read: Read;
  onBack: () => void;
}

/** What would become of each file, to be looked at before anything is. */
export function UploadPreview({ read: { sent, found }, onBack }: UploadPreviewProps) {
  const t = useText(uploadText);
  const may = useMay();
  const navigate = useNavigate();
  const upload = useChange('uploadCertificates');
  // Binding changes sites, which whoever uploads may not be allowed to.
  const mayBind = may('changeSitesSection');
  const [choices, setChoices] = useState(() => firstChoices(found.certificates, mayBind));
  const [problem, setProblem] = useState('');
  // Named by fingerprints, out of the same files, which are sent again: the server keeps nothing of a preview.
  const taken = found.certificates.flatMap((one, index) => {
    const { isTaken, name, siteIds } = choices[index]!;
    return isTaken
      ? [{ fingerprint: one.fingerprint, name, replaces: one.replaces?.id ?? null, site_ids: siteIds }]
      : [];
  });
  const sites = new Set(taken.flatMap(({ site_ids: ids }) => ids)).size;
  const send = async () => {
    try {
      const done = await upload.mutateAsync({ body: { ...sent, certificates: taken } });
      notify.success(t.uploaded(done.created, done.replaced));
      const target =
        // Binding is a batch, whose page shows how far it is.
        done.batch_id !== null && may('getSiteBatch')
          ? to.siteBatchDetail({ id: done.batch_id })
          : to.certificates();
      await navigate({ ...target, ignoreBlocker: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem([error.message, ...error.fields.map(({ message }) => message)].join(' · '));
    }
  };
  const isNamed = taken.every(({ name }) => name.trim() !== '');
  const why = taken.length === 0 ? t.noneTaken : isNamed ? undefined : t.nameNeeded;
  return (
    <Stack sx={{ gap: 3 }}>
      {/* The files are not stored yet: whoever leaves has to choose them anew. */}
      <UnsavedGuard form={{ formState: { isDirty: true, isSubmitting: upload.isPending } }} />
      {found.problems.length > 0 && (
        <Section title={t.problems(found.problems.length)}>
          <Stack component="ul" sx={{ m: 0, pl: 2.5, gap: 0.5 }}>
            {found.problems.map(({ files, reason }, index) => (
              <Typography key={index} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {t.problem(files, reason)}
              </Typography>
            ))}
          </Stack>
        </Section>
      )}
      <Section title={t.found(found.certificates.length)} hint={t.foundHint}>
        <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 2 }}>
          {found.certificates.map((one, index) => (
            <UploadRow
              key={one.fingerprint}
              certificate={one}
              mayBind={mayBind}
              choice={choices[index]!}
              onChange={(choice) =>
                setChoices(choices.map((each, place) => (place === index ? choice : each)))
              }
            />
          ))}
        </Stack>
      </Section>
      <Section>
        <Stack sx={{ gap: 2 }}>
          {found.has_more_sites && <Alert severity="info">{t.moreSites}</Alert>}
          {problem !== '' && <Alert severity="error">{problem}</Alert>}
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <ActionButton
              variant="contained"
              loading={upload.isPending}
              disabledReason={why}
              onClick={() => void send()}
            >
              {t.upload(taken.length, sites)}
            </ActionButton>
            <Button color="inherit" onClick={onBack}>
              {t.again}
            </Button>
          </Stack>
        </Stack>
      </Section>
    </Stack>
  );
}
