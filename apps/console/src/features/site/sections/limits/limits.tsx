import { siteSecurity, type SiteSecurity } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useWatch, type Control, type FieldPath } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { DurationInput, NumberInput, SwitchInput } from '../../../../kit/fields/inputs.tsx';
import { BytesInput } from '../../../../kit/fields/amount-inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { siteLimitsText } from './limits.text.ts';

type LimitsControl = Control<z.input<typeof siteSecurity>, unknown, SiteSecurity>;

/** The tab “Limits”, of a site or of a level. A field that is empty is no limit; each holds on each node by itself. */
export function SiteLimits() {
  const config = useInherited('security');
  return <Loaded read={config}>{(data) => <LimitsForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface LimitsFormProps {
  latest: Data<'getSiteSecurity'>;
  refetch: ReturnType<typeof useFormRead<'getSiteSecurity'>>['refetch'];
}

function LimitsForm({ latest, refetch }: LimitsFormProps) {
  const t = useText(siteLimitsText);
  const save = useInheritedSave('security');
  const section = useSectionForm(siteSecurity, latest, save, refetch, 'security');
  const { control } = section.form;
  return (
    <SectionForm section={section}>
      <RateFields control={control} name="rate_per_address" title={t.ratePerAddress} hint={t.rateHint} />
      <RateFields control={control} name="rate" title={t.rate} hint={t.rateOfSiteHint} />
      <Section title={t.connections} hint={t.connectionsHint}>
        <Box sx={fieldGrid}>
          <NumberInput
            control={control}
            name="connections_per_address"
            label={t.perAddress}
            hint={t.perAddressHint}
          />
          <NumberInput control={control} name="connections" label={t.ofSite} hint={t.ofSiteHint} />
        </Box>
        <LimitCondition
          control={control}
          name="connections_condition"
          of={['connections_per_address', 'connections']}
        />
      </Section>
      <Section title={t.sizes}>
        <Box sx={fieldGrid}>
          <BytesInput control={control} name="body_bytes_max" label={t.body} hint={t.bodyHint} />
        </Box>
        <LimitCondition control={control} name="body_condition" of={['body_bytes_max']} />
        <Box sx={{ ...fieldGrid, mt: 2 }}>
          <NumberInput control={control} name="body_rate_min" label={t.bodyRate} hint={t.bodyRateHint} />
        </Box>
      </Section>
      <HeadLimits control={control} />
      <Section title={t.bandwidth} hint={t.bandwidthHint}>
        <Box sx={fieldGrid}>
          <BytesInput
            control={control}
            name="bandwidth_per_address"
            label={t.bandwidthOfVisitor}
            hint={t.bandwidthOfVisitorHint}
          />
          <BytesInput
            control={control}
            name="bandwidth"
            label={t.bandwidthOfSite}
            hint={t.bandwidthOfSiteHint}
          />
          <BytesInput
            control={control}
            name="bandwidth_per_connection"
            label={t.bandwidthOfAnswer}
            hint={t.bandwidthOfAnswerHint}
          />
        </Box>
        <LimitCondition
          control={control}
          name="bandwidth_condition"
          of={['bandwidth_per_address', 'bandwidth', 'bandwidth_per_connection']}
        />
      </Section>
      <Section title={t.counting}>
        <SwitchInput control={control} name="rate_counts_hits" label={t.countsHits} hint={t.countsHitsHint} />
      </Section>
    </SectionForm>
  );
}

/** Sizes of a request's header. What is above them is refused with 431, a URL with 414. */
function HeadLimits({ control }: { control: LimitsControl }) {
  const t = useText(siteLimitsText);
  return (
    <Section title={t.head} hint={t.headHint}>
      <Box sx={fieldGrid}>
        <BytesInput control={control} name="url_bytes_max" label={t.url} hint={t.urlHint} unit="KB" />
        <NumberInput control={control} name="header_lines_max" label={t.lines} hint={t.linesHint} />
        <BytesInput
          control={control}
          name="header_line_bytes_max"
          label={t.line}
          hint={t.lineHint}
          unit="KB"
        />
        <BytesInput
          control={control}
          name="header_bytes_max"
          label={t.allLines}
          hint={t.allLinesHint}
          unit="KB"
        />
      </Box>
    </Section>
  );
}

interface RateFieldsProps {
  control: LimitsControl;
  name: 'rate' | 'rate_per_address';
  title: string;
  hint: string;
}

/**
 * A rate (GCRA): so many requests at an even pace, and `burst` more at once. Without `requests` there is no rate,
 * and the rest of it says nothing.
 */
function RateFields({ control, name, title, hint }: RateFieldsProps) {
  const t = useText(siteLimitsText);
  const requests = useWatch({ control, name: `${name}.requests` });
  return (
    <Section title={title} hint={hint}>
      <Box sx={fieldGrid}>
        <NumberInput control={control} name={`${name}.requests`} label={t.requests} hint={t.requestsHint} />
        {requests !== undefined && (
          <>
            <DurationInput
              control={control}
              name={`${name}.period_seconds`}
              label={t.period}
              hint={t.periodHint}
            />
            <NumberInput control={control} name={`${name}.burst`} label={t.burst} hint={t.burstHint} />
          </>
        )}
      </Box>
      {requests !== undefined && (
        <Box sx={{ mt: 2 }}>
          <ConditionInput control={control} name={`${name}.condition`} hint={t.conditionHint} />
        </Box>
      )}
    </Section>
  );
}

interface LimitConditionProps {
  control: LimitsControl;
  name: 'connections_condition' | 'bandwidth_condition' | 'body_condition';
  /** The limits that it is for: without any there is nothing to be asked. */
  of: FieldPath<z.input<typeof siteSecurity>>[];
}

function LimitCondition({ control, name, of }: LimitConditionProps) {
  const t = useText(siteLimitsText);
  const isSet = useWatch({ control, name: [name, ...of] }).some((value) => value !== undefined);
  if (!isSet) return null;
  return (
    <Box sx={{ mt: 2 }}>
      <ConditionInput control={control} name={name} hint={t.limitConditionHint} />
      <FieldSourceNote name={name} />
    </Box>
  );
}
