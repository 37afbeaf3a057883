import type { RedirectRule, UrlRewriteRule } from '@breakwater/contract';
import { Alert, Box, Stack, TextField, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { formatList } from '../../../../kit/format.ts';
import { Section } from '../../../../kit/page.tsx';
import { useNow } from '../../../../kit/use-now.ts';
import { traceRewriting, type RewriteRules, type RewriteTrace } from './preview-of.ts';
import { useSiteIfAny } from '../../context.tsx';
import type { RewriteControl } from './rewrite.tsx';
import { siteRewriteText } from './rewrite.text.ts';

/** Of what a level sets, for whichever site. */
const exampleHost = 'www.example.com';

/** What becomes of an address by the rules in the form. */
export function RewritePreview({ control }: { control: RewriteControl }) {
  const t = useText(siteRewriteText);
  const site = useSiteIfAny()?.site;
  const [redirects, rewrites] = useWatch({ control, name: ['redirects', 'url_rewrites'] });
  // Conditions can ask for the time.
  const [now] = useNow(1000);
  const [address, setAddress] = useState('/old/page?x=1');
  const rules = { redirects: redirects as RedirectRule[], url_rewrites: rewrites as UrlRewriteRule[] };
  const trace = traceRewriting(rules, address, site?.domains ?? [exampleHost], now / 1000);
  const hasConditions = [...rules.redirects, ...rules.url_rewrites].some(
    ({ enabled, condition }) => enabled && condition !== undefined,
  );
  return (
    <Section title={t.preview} hint={t.previewHint}>
      <Stack sx={{ gap: 2, maxWidth: 720 }}>
        <TextField
          label={t.previewUrl}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          error={trace === undefined}
          helperText={
            trace === undefined ? t.previewInvalid : hasConditions ? t.previewConditions : undefined
          }
        />
        {trace !== undefined && <Trace trace={trace} rules={rules} />}
      </Stack>
    </Section>
  );
}

interface TraceProps {
  trace: RewriteTrace;
  rules: RewriteRules;
}

/** The way of the address, in a status that is read out when it changes. */
function Trace({ trace: { hops, origin, isEndless }, rules }: TraceProps) {
  const t = useText(siteRewriteText);
  const language = useLanguage();
  const rewrites = (places: readonly number[]) =>
    formatList(
      places.map((place) => rules.url_rewrites[place]!.from),
      language,
    );
  const hasChange = hops.length > 0 || (origin !== undefined && origin.rules.length > 0);
  return (
    <Alert severity={isEndless ? 'warning' : hasChange ? 'success' : 'info'} role="status">
      <Stack component="ol" sx={{ listStyle: 'none', p: 0, m: 0, gap: 0.5 }}>
        {hops.map((hop, index) => (
          <Step key={index} address={hop.location}>
            {t.previewRedirect(rules.redirects[hop.rule]!.from, hop.status)}
          </Step>
        ))}
        {isEndless && <Typography component="li">{t.previewLoop}</Typography>}
        {origin !== undefined && origin.rules.length > 0 && (
          <Step address={origin.target}>{t.previewRewritten(rewrites(origin.rules))}</Step>
        )}
        {!hasChange && <Typography component="li">{t.previewNothing}</Typography>}
      </Stack>
    </Alert>
  );
}

function Step({ address, children }: { address: string; children: ReactNode }) {
  return (
    <Typography component="li" variant="body2">
      {children}{' '}
      <Box component="code" sx={{ overflowWrap: 'anywhere' }}>
        {address}
      </Box>
    </Typography>
  );
}
