import {
  guardRule,
  guardRulesMax,
  type ccGuardianRule,
  type CcGuardianRule,
  type GuardBaseline,
} from '@breakwater/contract';
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useApi } from '../../../../api/query.ts';
import { useDenial } from '../../../../frame/denial.ts';
import { useText } from '../../../../i18n/text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { Time } from '../../../../kit/time.tsx';
import { useSite } from '../../context.tsx';
import { siteGuardText } from './guard.text.ts';

type GuardForm = UseFormReturn<z.input<typeof ccGuardianRule>, unknown, CcGuardianRule>;
type Learned = NonNullable<GuardBaseline['learned']>;

/** Thresholds by what is usual at the site; asked for with a button, for it takes a look at two weeks. */
export function GuardSuggestions({ form }: { form: GuardForm }) {
  const t = useText(siteGuardText);
  const { site } = useSite();
  const denied = useDenial()('getSiteGuardBaseline');
  const [asked, setAsked] = useState(false);
  const baseline = useApi('getSiteGuardBaseline', { params: { id: site.id } }, { enabled: asked });
  return (
    <Section title={t.learn} hint={t.learnHint}>
      {asked ? (
        <Loaded read={baseline}>
          {(data) =>
            data.learned === null ? (
              <Alert severity="info">{t.tooLittle(data)}</Alert>
            ) : (
              <Suggested learned={data.learned} form={form} />
            )
          }
        </Loaded>
      ) : (
        <Box>
          <ActionButton
            color="inherit"
            variant="outlined"
            disabledReason={denied}
            onClick={() => setAsked(true)}
          >
            {t.learnNow}
          </ActionButton>
        </Box>
      )}
    </Section>
  );
}

function Suggested({ learned, form }: { learned: Learned; form: GuardForm }) {
  const t = useText(siteGuardText);
  const { control, setValue } = form;
  const [ofSite, ofUrl] = useWatch({ control, name: ['escalation_requests', 'escalation_url_requests'] });
  const rules = useWatch({ control, name: 'rules' }) ?? [];
  const { site, url, visitor, hours } = learned;
  // Null where no single visitor is known: their lines of the log are no longer kept.
  const rule = visitor && {
    requests: visitor.suggested,
    period_seconds: visitor.period_seconds,
    action: 'challenge' as const,
  };
  // The rule has no id before it is saved: it is known by its threshold.
  const isThere =
    rule !== null &&
    rules.some((each) => each.requests === rule.requests && each.period_seconds === rule.period_seconds);
  const put = (name: 'escalation_requests' | 'escalation_url_requests', value: number) => () =>
    setValue(name, value, { shouldDirty: true });
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Typography variant="body2">
        {t.busiest} <Time at={learned.busiest_at} />
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t.byHour(hours)}
      </Typography>
      <Suggestion
        label={t.siteRate}
        text={t.rateReason(site, learned.node_percent)}
        isUsed={Number(ofSite) === site.suggested}
        onUse={put('escalation_requests', site.suggested)}
      />
      {url && (
        <Suggestion
          label={t.urlRate}
          text={t.urlReason(url)}
          isUsed={Number(ofUrl) === url.suggested}
          onUse={put('escalation_url_requests', url.suggested)}
        />
      )}
      {rule && (
        <Suggestion
          label={t.visitorRule}
          text={t.visitorReason(visitor)}
          isUsed={isThere || rules.length >= guardRulesMax}
          onUse={() =>
            setValue('rules', [...rules, guardRule.parse({ ...rule, note: t.learnedNote })], {
              shouldDirty: true,
            })
          }
        />
      )}
    </Stack>
  );
}

/** `isUsed`: the form has this value by now, or no room for another rule. */
interface SuggestionProps {
  label: string;
  text: string;
  isUsed: boolean;
  onUse: () => void;
}

function Suggestion({ label, text, isUsed, onUse }: SuggestionProps) {
  const t = useText(siteGuardText);
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <Box sx={{ flex: '1 1 260px' }}>
        <Typography variant="subtitle2">{label}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {text}
        </Typography>
      </Box>
      <Button
        color="inherit"
        variant="outlined"
        size="small"
        disabled={isUsed}
        aria-label={`${isUsed ? t.used : t.use}: ${label}`}
        onClick={onUse}
      >
        {isUsed ? t.used : t.use}
      </Button>
    </Stack>
  );
}
