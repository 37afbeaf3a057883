import { certificateSettings, certificatesPerSite, type Certificate } from '@breakwater/contract';
import { certificateCovers } from '@breakwater/policy/http/host';
import { Alert, List, ListItem, ListItemText } from '@mui/material';
import { useMemo } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useAccount, useMay } from '../../../../api/account.ts';
import type { Data } from '../../../../api/client.ts';
import { useChange } from '../../../../api/change.ts';
import { certificatesOf } from '../../../../api/options.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useApi } from '../../../../api/query.ts';
import { useDenial } from '../../../../frame/denial.ts';
import { useText } from '../../../../i18n/text.ts';
import { kitText } from '../../../../kit/kit.text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { RemoteMultiSelect } from '../../../../kit/fields/remote-multi-select.tsx';
import { to } from '../../../../kit/links.ts';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { LinkButton } from '../../../../kit/router-link.tsx';
import { Time } from '../../../../kit/time.tsx';
import { notify } from '../../../../kit/toast.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave, useLevel } from '../../section/host.tsx';
import { useSite } from '../../context.tsx';
import { DomainCertificates } from './domain-certificates.tsx';
import { HttpsSettings } from './https.tsx';
import { ServedCertificates } from './served.tsx';
import { siteConfigText } from './config.text.ts';
import { readable } from '../../../../kit/readable.tsx';

/** The tab “HTTPS”, of a site or of a level; certificates are a site's alone. */
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
  refetch: ReturnType<typeof useFormRead<'getCertificateSettings'>>['refetch'];
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
  // An operator sees everybody's certificates; a site takes those of its own customer.
  const clientId = role === 'admin' ? site.client_id : undefined;
  const may = useMay()('listCertificates');
  // One row suffices to tell whether there is anything to choose from.
  const any = useApi('listCertificates', { query: { page_size: 1, client_id: clientId } }, { enabled: may });
  const save = useInheritedSave('certificate_settings');
  const section = useSectionForm(certificateSettings, latest, save, refetch, 'certificate_settings');
  const upload = (
    <LinkButton
      target={to.certificates({ client_id: clientId })}
      icon="add"
      variant="outlined"
      color="inherit"
    >
      {t.upload}
    </LinkButton>
  );
  // Whoever may not see certificates may still say how HTTPS is spoken; what is chosen stays as it is.
  if (!may)
    return (
      <SectionForm section={section}>
        <HttpsSettings control={section.form.control} />
      </SectionForm>
    );
  return (
    <Loaded read={any}>
      {({ total }) => (
        <SectionForm section={section}>
          <Section
            title={t.title}
            hint={t.hint}
            actions={
              <>
                <ObtainButton />
                {total > 0 && upload}
              </>
            }
          >
            {total === 0 ? (
              <EmptyState icon="certificate" title={t.none} hint={t.noneHint} action={upload} />
            ) : (
              <Picker control={section.form.control} clientId={clientId} />
            )}
          </Section>
          <DomainCertificates />
          <ServedCertificates />
          <HttpsSettings control={section.form.control} />
        </SectionForm>
      )}
    </Loaded>
  );
}

/** For all its verified domains, and used by it when it is there. */
function ObtainButton() {
  const t = useText(siteConfigText).certificateForm;
  const { site } = useSite();
  const denial = useDenial();
  const { mutate, isPending } = useChange('applySiteCertificate');
  // Begins an order, which works on by itself; the table below shows how far it is.
  const obtain = () =>
    mutate(
      { params: { id: site.id } },
      {
        onSuccess: () => notify.success(t.obtaining),
        onError: (error) => notify.error(error.message),
      },
    );
  return (
    <ActionButton
      icon="certificate-order"
      variant="outlined"
      color="inherit"
      loading={isPending}
      disabledReason={denial('applySiteCertificate')}
      onClick={obtain}
    >
      {t.obtain}
    </ActionButton>
  );
}

interface PickerProps {
  control: Control<z.input<typeof certificateSettings>, unknown, z.output<typeof certificateSettings>>;
  clientId: number | undefined;
}

const noIds: number[] = [];

/** Few at a time, found by name or domain; what is chosen is read by its ids. */
function Picker({ control, clientId }: PickerProps) {
  const t = useText(siteConfigText).certificateForm;
  const ids = useWatch({ control, name: 'certificate_ids' }) ?? noIds;
  // All that one site can have, in one page.
  const query = { ids: ids.join(','), page_size: certificatesPerSite };
  const chosen = useApi('listCertificates', { query }, { enabled: ids.length > 0, keepPrevious: true });
  // While another choice is being read, what was chosen before is still there.
  const list = useMemo(
    () => (chosen.data?.list ?? []).filter(({ id }) => ids.includes(id)),
    [chosen.data, ids],
  );
  const choices = useMemo(() => certificatesOf(clientId), [clientId]);
  return (
    <>
      <RemoteMultiSelect
        control={control}
        name="certificate_ids"
        label={t.chosen}
        hint={t.chosenHint}
        choices={choices}
      />
      <Chosen list={list} />
      {/* As long as some of the chosen are still being read, every domain would seem to lack a certificate. */}
      {list.length > 0 && list.length === ids.length && <Uncovered list={list} />}
    </>
  );
}

/** What visitors of the site would not get a certificate for. */
function Uncovered({ list }: { list: readonly Certificate[] }) {
  const t = useText(siteConfigText).certificateForm;
  const { site } = useSite();
  const names = list.flatMap(({ domains }) => domains);
  const without = site.domains.filter((domain) => !names.some((name) => certificateCovers(name, domain)));
  if (without.length === 0) return null;
  return <Alert severity="warning">{readable(t.uncovered(without))}</Alert>;
}

/** What is chosen, with the names that each covers and its end: the select shows names alone. */
function Chosen({ list }: { list: readonly Certificate[] }) {
  const t = useText(siteConfigText).certificateForm;
  const kit = useText(kitText);
  return (
    <List dense>
      {list.map((certificate) => (
        <ListItem key={certificate.id} disableGutters divider>
          <ListItemText
            primary={readable(certificate.name)}
            secondary={
              <>
                {readable(
                  `${t.covers}${kit.colon}${certificate.domains.join(', ')} · ${t.expires}${kit.colon}`,
                )}
                <Time at={certificate.not_after} />
              </>
            }
          />
        </ListItem>
      ))}
    </List>
  );
}
