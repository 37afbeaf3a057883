import { listenPort, type ListenPort, type SitePortRange } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useFormRead } from '../../../../api/form-read.ts';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { Facts } from '../../../../kit/facts.tsx';
import { PortListInput } from '../../../../kit/fields/list-inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { SectionForm, useSectionForm, useSectionSave } from '../../section/form.tsx';
import { useSite } from '../../context.tsx';
import { sitePortsText } from './ports.text.ts';

/** The tab “Ports” of a site: ports at which it answers besides those of its nodes. No level has it. */
export function SitePorts() {
  const { site } = useSite();
  const ports = useFormRead('getListenPort', { query: { site_id: site.id } });
  const range = useApi('getSitePortRange', { params: { id: site.id } });
  return (
    <Loaded read={range}>
      {(allowed) => (
        <Loaded read={ports}>
          {(data) => <PortsForm latest={data} refetch={ports.refetch} allowed={allowed} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface PortsFormProps {
  latest: { version: number; value: ListenPort };
  refetch: ReturnType<typeof useFormRead<'getListenPort'>>['refetch'];
  /** What the platform allows, and what the nodes of the site have. */
  allowed: SitePortRange;
}

function PortsForm({ latest, refetch, allowed }: PortsFormProps) {
  const t = useText(sitePortsText);
  const { site } = useSite();
  const save = useSectionSave('updateListenPort');
  const section = useSectionForm(
    listenPort,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
    'listen_port',
  );
  const { control, formState } = section.form;
  return (
    <SectionForm section={section}>
      <Section title={t.title} hint={t.hint}>
        <Stack sx={{ gap: 2 }}>
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <PortListInput
              control={control}
              name="http_ports"
              label={t.http}
              hint={t.httpHint}
              example="8080"
              rows={3}
            />
            <PortListInput
              control={control}
              name="https_ports"
              label={t.https}
              hint={t.httpsHint}
              example="8443"
              rows={3}
            />
          </Box>
          {/* What else is set nginx takes over as it runs; for a port that it listens at it is reloaded. */}
          {formState.isDirty && (
            <Alert severity="info" role="status">
              {t.reload(allowed.nodes_total)}
            </Alert>
          )}
        </Stack>
      </Section>
      <AllowedPorts allowed={allowed} />
    </SectionForm>
  );
}

/** Which ports can be entered, and which the nodes have for every site anyway. */
function AllowedPorts({ allowed }: { allowed: SitePortRange }) {
  const t = useText(sitePortsText);
  const list = (ports: readonly (number | string)[]) => (ports.length === 0 ? t.none : ports.join(', '));
  return (
    <Section title={t.may} hint={t.mayHint}>
      <Facts
        columns={3}
        facts={[
          { label: t.range, value: `${allowed.first}–${allowed.last}` },
          { label: t.max, value: allowed.ports_max ?? t.unlimited },
          { label: t.nodeHttp, value: list(allowed.node_http_ports) },
          { label: t.nodeHttps, value: list(allowed.node_https_ports) },
          { label: t.ipv6, value: t.ofNodes(allowed.nodes_ipv6, allowed.nodes_total) },
          { label: t.http3, value: t.ofNodes(allowed.nodes_http3, allowed.nodes_total) },
        ]}
      />
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 2 }}>
        {t.ipv6Hint}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
        {t.denied(list(allowed.denied))}
      </Typography>
    </Section>
  );
}
