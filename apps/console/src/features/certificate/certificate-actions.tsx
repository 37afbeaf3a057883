import type { Certificate } from '@breakwater/contract';
import { fetchFile } from '../../api/client.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { useDenial } from '../../frame/denial.ts';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { notify } from '../../kit/toast.ts';
import { CertificateReplaceForm } from './certificate-replace-form.tsx';
import { certificateText } from './certificate.text.ts';

/** What can be done with a certificate, in a list and on its page. */
export function useCertificateActions({ leave }: { leave?: () => Promise<unknown> } = {}) {
  const t = useText(certificateText);
  const denial = useDenial();
  const replacing = useRowDialog<Certificate>({
    route: 'updateCertificate',
    label: t.edit,
    icon: 'renew',
    render: (certificate, close) => <CertificateReplaceForm certificate={certificate} onClose={close} />,
  });
  const removal = useRemoval<Certificate>('removeCertificate', {
    text: t,
    body: ({ name }) => t.removeBody(name),
    leave,
  });
  const actionsFor = (certificate: Certificate): RowAction[] => [
    replacing.action(certificate),
    {
      label: t.download,
      icon: 'download',
      onClick: () => void download(certificate.id),
      disabledReason: denial('downloadCertificate'),
    },
    // Sites would be left without HTTPS: it has to be taken out of them first.
    removal.action(certificate, certificate.site_count > 0 && t.inUse),
  ];
  return {
    actionsFor,
    dialogs: (
      <>
        {replacing.dialog}
        {removal.dialog}
      </>
    ),
  };
}

/** The certificate and its chain in PEM; the key is never in it. */
async function download(id: number): Promise<void> {
  try {
    const { name, content } = await fetchFile('downloadCertificate', { params: { id } });
    saveFile(name, content);
  } catch (error) {
    notify.error(error instanceof Error ? error.message : String(error));
  }
}
