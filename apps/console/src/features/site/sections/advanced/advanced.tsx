import { advancedConfig, issueText, type AdvancedConfig } from '@breakwater/contract';
import { toByteString } from '@breakwater/policy';
import { allowedDirectives } from '@breakwater/policy/site/nginx-directives';
import { parseSnippet } from '@breakwater/policy/site/nginx-snippet';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { DurationInput, NumberInput, SwitchInput } from '../../../../kit/fields/inputs.tsx';
import { CodeInput } from '../../../../kit/fields/code-input.tsx';
import { DateTimeInput } from '../../../../kit/fields/date-time-input.tsx';
import { IpListInput } from '../../../../kit/fields/list-inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { notify } from '../../../../kit/toast.ts';
import { useLanguage } from '../../../../i18n/language.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave, useLevel } from '../../section/host.tsx';
import { siteAdvancedText } from './advanced.text.ts';
import { ErrorPages } from './error-pages.tsx';

export type AdvancedControl = Control<z.input<typeof advancedConfig>, unknown, AdvancedConfig>;

/** The tab “Advanced”, of a site or of a level: error pages, maintenance, buffering, logging, directives for nginx. */
export function SiteAdvanced() {
  const config = useInherited('advanced_config');
  return <Loaded read={config}>{(data) => <AdvancedForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface AdvancedFormProps {
  latest: Data<'getAdvancedConfig'>;
  refetch: ReturnType<typeof useFormRead<'getAdvancedConfig'>>['refetch'];
}

function AdvancedForm({ latest, refetch }: AdvancedFormProps) {
  const t = useText(siteAdvancedText);
  const level = useLevel();
  const save = useInheritedSave('advanced_config');
  const section = useSectionForm(
    advancedConfig,
    latest,
    async (body) => {
      const saved = await save(body);
      // A node tries what nginx is to load before it is stored; without a node that is connected nobody has tried it.
      const triedOn = saved?.snippet_tried_on ?? null;
      if (triedOn !== null) notify.success(t.snippetTried(triedOn));
      else if (body.value.snippet !== '' && body.value.snippet !== latest.value.snippet)
        notify.info(t.snippetNotTried);
      return saved;
    },
    refetch,
    'advanced_config',
  );
  const { control } = section.form;
  return (
    <SectionForm section={section}>
      {/* Maintenance is one site's; and what nginx itself is told could break all sites of a level at once. */}
      {!level && <Maintenance control={control} />}
      <ErrorPages control={control} />
      <Section title={t.answers}>
        <SwitchInput control={control} name="response_buffering" label={t.buffering} hint={t.bufferingHint} />
      </Section>
      <AccessLog control={control} />
      {!level && <Snippet control={control} />}
    </SectionForm>
  );
}

/** The site answers 503 to all but the addresses named here. With an end set it ends by itself at the nodes. */
function Maintenance({ control }: { control: AdvancedControl }) {
  const t = useText(siteAdvancedText);
  const isOn = useWatch({ control, name: 'maintenance.enabled' });
  const until = useWatch({ control, name: 'maintenance.until' });
  return (
    <Section title={t.maintenance} hint={t.maintenanceHint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="maintenance.enabled" label={t.maintenanceOn} />
        {isOn && (
          <>
            <Box
              sx={{
                display: 'grid',
                gap: 2,
                gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))',
              }}
            >
              <DateTimeInput control={control} name="maintenance.until" label={t.until} hint={t.untilHint} />
              {/* A time that is known says more than a span: visitors are told it as Retry-After (RFC 9110 §10.2.3). */}
              {until === undefined && (
                <DurationInput
                  control={control}
                  name="maintenance.retry_after_seconds"
                  label={t.retryAfter}
                  hint={t.retryAfterHint}
                />
              )}
            </Box>
            <IpListInput
              control={control}
              name="maintenance.allowed_ips"
              label={t.allowedIps}
              hint={t.allowedIpsHint}
            />
            <CodeInput
              control={control}
              name="maintenance.body"
              label={t.maintenanceBody}
              hint={t.maintenanceBodyHint}
              rows={6}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}

/** What is kept of each request. Figures and bills count every request all the same. */
function AccessLog({ control }: { control: AdvancedControl }) {
  const t = useText(siteAdvancedText);
  const isOn = useWatch({ control, name: 'access_log.enabled' });
  return (
    <Section title={t.log} hint={t.logHint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="access_log.enabled" label={t.logOn} hint={t.logOff} />
        {isOn !== false && (
          <>
            <Box role="group" aria-label={t.logFields}>
              <SwitchInput control={control} name="access_log.referer" label={t.logReferer} />
              <SwitchInput control={control} name="access_log.user_agent" label={t.logAgent} />
              <SwitchInput control={control} name="access_log.query" label={t.logQuery} />
              <SwitchInput control={control} name="access_log.ja4" label={t.logJa4} hint={t.logJa4Hint} />
            </Box>
            <Box sx={{ maxWidth: 300 }}>
              <NumberInput
                control={control}
                name="access_log.sample_rate"
                label={t.sampleRate}
                unit={t.sampleRateUnit}
                hint={t.sampleRateHint}
              />
            </Box>
          </>
        )}
      </Stack>
    </Section>
  );
}

/** What is wrong is said as it is typed, by the parser that the server and the nodes have. */
function Snippet({ control }: { control: AdvancedControl }) {
  const t = useText(siteAdvancedText);
  const language = useLanguage();
  const snippet = useWatch({ control, name: 'snippet' }) ?? '';
  // Policy reads byte strings, as it does in nginx.
  const { problem } = parseSnippet(toByteString(snippet));
  return (
    <Section title={t.snippet} hint={t.snippetHint}>
      <Stack sx={{ gap: 2 }}>
        <CodeInput control={control} name="snippet" label={t.snippetField} hint={t.snippetExample} rows={6} />
        {problem && (
          <Alert severity="warning">{issueText(`${problem.reason}:${problem.line}`, language)}</Alert>
        )}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.snippetAllowed}
          {allowedDirectives().join(', ')}
        </Typography>
      </Stack>
    </Section>
  );
}
