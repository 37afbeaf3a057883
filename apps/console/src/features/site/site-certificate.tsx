import { certificateSettings, type Certificate } from '@breakwater/contract';
import { List, ListItem, ListItemText } from '@mui/material';
import { useAccount } from '../../api/account.ts';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { MultiSelectInput } from '../../kit/fields.tsx';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';
import { SectionForm, useSectionForm } from './section-form.tsx';
import { useInherited, useInheritedSave, useLevel } from './section-host.tsx';
import { useSite } from './site-context.tsx';
import { HttpsSettings } from './site-https.tsx';
import { siteConfigText } from './site-config.text.ts';

export function SiteCertificate() {
  const level = useLevel();
  const chosen = useInherited('certificate_settings');
  return (
    <Loaded read={chosen}>
      {(data) =>
        level ? (
          <LevelHttpsForm latest={data} refetch={chosen.refetch} />
        ) : (
          <CertificateForm latest={data} refetch={chosen.refetch} />
        )
      }
    </Loaded>
  );
}

interface CertificateFormProps {
  latest: Data<'getCertificateSettings'>;
  refetch: ReturnType<typeof useApi<'getCertificateSettings'>>['refetch'];
}

/** A level has no certificates of its own. */
function LevelHttpsForm({ latest, refetch }: CertificateFormProps) {
  const save = useInheritedSave('certificate_settings');
  const section = useSectionForm(certificateSettings, latest, save, refetch, 'certificate_settings');
  return (
    <SectionForm section={section}>
      <HttpsSettings control={section.form.control} />
    </SectionForm>
  );
}

function CertificateForm({ latest, refetch }: CertificateFormProps) {
  const t = useText(siteConfigText).certificateForm;
  const { site } = useSite();
  const { role } = useAccount();
  const ofClient = role === 'admin' ? { client_id: site.client_id } : {};
  const certificates = useApi('listCertificates', { query: { page_size: 200, ...ofClient } });
  const save = useInheritedSave('certificate_settings');
  const section = useSectionForm(certificateSettings, latest, save, refetch, 'certificate_settings');
  const ids = section.form.watch('certificate_ids') ?? [];
  const upload = (
    <LinkButton
      target={to.certificates({ client_id: role === 'admin' ? site.client_id : undefined })}
      icon="add"
      variant="outlined"
      color="inherit"
    >
      {t.upload}
    </LinkButton>
  );
  return (
    <Loaded read={certificates}>
      {({ list }) => (
        <SectionForm section={section}>
          <Section title={t.title} hint={t.hint} {...(list.length === 0 ? {} : { actions: upload })}>
            {list.length === 0 ? (
              <EmptyState icon="certificate" title={t.none} hint={t.noneHint} action={upload} />
            ) : (
              <>
                <MultiSelectInput
                  control={section.form.control}
                  name="certificate_ids"
                  label={t.chosen}
                  options={list.map(({ id, name, domains }) => ({
                    value: id,
                    label: `${name} (${domains.join(', ')})`,
                  }))}
                />
                <Chosen list={list.filter(({ id }) => ids.includes(id))} />
              </>
            )}
          </Section>
          <HttpsSettings control={section.form.control} />
        </SectionForm>
      )}
    </Loaded>
  );
}

function Chosen({ list }: { list: readonly Certificate[] }) {
  const t = useText(siteConfigText).certificateForm;
  return (
    <List dense>
      {list.map((certificate) => (
        <ListItem key={certificate.id} disableGutters divider>
          <ListItemText
            primary={certificate.name}
            secondary={
              <>
                {t.covers}: {certificate.domains.join(', ')} · {t.expires}:{' '}
                <Time at={certificate.not_after} />
              </>
            }
          />
        </ListItem>
      ))}
    </List>
  );
}
