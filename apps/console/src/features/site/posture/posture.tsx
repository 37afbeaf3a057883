import type { PostureAdvice, PostureState, SitePosture as Posture } from '@breakwater/contract';
import { Alert, Stack, Typography } from '@mui/material';
import { useMay } from '../../../api/account.ts';
import { useApi } from '../../../api/query.ts';
import { detectorText } from '../../../domain/detector.text.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { useText } from '../../../i18n/text.ts';
import { formatList } from '../../../kit/format.ts';
import { to, type Target } from '../../../kit/links.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { useSite } from '../context.tsx';
import { siteGuardText } from '../sections/guard/guard.text.ts';
import { siteSystemRulesText } from '../sections/system-rules/system-rules.text.ts';
import { siteVerifyText } from '../sections/verify/verify.text.ts';
import { PostureAttacks } from './attacks.tsx';
import { sitePostureText } from './posture.text.ts';

type Protection = keyof Omit<Posture, 'advice'>;

/** Off is neutral: not every site needs every protection. What it should have is said as advice. */
const tones: Record<PostureState, Tone> = {
  on: 'success',
  observe: 'info',
  partial: 'warning',
  off: 'neutral',
};
/** The tab where each is changed. */
const tabs: Record<Exclude<Protection, 'bans'>, string> = {
  https: 'certificate',
  access_control: 'access',
  block_referer: 'referer',
  security: 'limits',
  matcher_rule: 'matchers',
  cc_guardian_rule: 'guard',
  browser_verify_rule: 'verify',
  used_system_rule: 'system-rules',
};
/** Where each piece of advice is followed. */
const adviceTabs: Record<PostureAdvice, string> = {
  https_certificate: 'certificate',
  https_redirect: 'certificate',
  system_rules_off: 'system-rules',
  system_rules_observe: 'system-rules',
  system_rules_body: 'system-rules',
  matchers_observe: 'matchers',
  cc_guard_off: 'guard',
  cc_guard_watch: 'guard',
  rate_limit: 'limits',
};

/** What protects the site, what of it only logs, what came in the last days, and what could be better. */
export function SitePosture() {
  const t = useText(sitePostureText);
  const { site } = useSite();
  const may = useMay();
  const read = useApi('getSitePosture', { params: { id: site.id } });
  return (
    <Loaded read={read}>
      {({ posture }) =>
        // Null until nodes are told of the site: what they do not know protects nobody.
        posture === null ? (
          <Alert severity="info">{t.notDeployed}</Alert>
        ) : (
          <Stack sx={{ gap: 3 }}>
            <Protections posture={posture} />
            {may('readAttackTrend') && <PostureAttacks posture={posture} />}
            <Advice advice={posture.advice} />
          </Stack>
        )
      }
    </Loaded>
  );
}

function Protections({ posture }: { posture: Posture }) {
  const t = useText(sitePostureText);
  const { site } = useSite();
  const details = useDetails(posture);
  const rows: { name: Protection; state: PostureState; target: Target }[] = [
    // In the order of `tabs`. Bans are no tab of a site but a list, which is narrowed to it.
    ...(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => ({
      name,
      state: posture[name].state,
      target: to.siteDetail({ id: site.id }, { tab: tabs[name] }),
    })),
    {
      name: 'bans',
      state: posture.bans > 0 ? 'on' : 'off',
      target: to.siteRejects({ site_id: site.id, state: 'standing' }),
    },
  ];
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 1.5 }}>
        {rows.map(({ name, state, target }) => (
          <Stack
            key={name}
            component="li"
            direction="row"
            sx={{ gap: 2, alignItems: 'baseline', flexWrap: 'wrap' }}
          >
            <Typography variant="body2" component="span" sx={{ width: 180, fontWeight: 600 }}>
              <TextLink target={target}>{t.protections[name]}</TextLink>
            </Typography>
            {name !== 'bans' && <StatusChip tone={tones[state]} label={t.states[state]} />}
            {/* Of what is off there is nothing more to say, but for HTTPS: that a certificate is missing. */}
            {(state !== 'off' || name === 'bans' || name === 'https') && details[name] !== '' && (
              <Typography
                variant="body2"
                component="span"
                sx={{ color: 'text.secondary', flex: '1 1 240px', minWidth: 0 }}
              >
                {details[name]}
              </Typography>
            )}
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

/** What more there is to say of each. */
function useDetails(posture: Posture): Record<Protection, string> {
  const t = useText(sitePostureText);
  const { kinds } = useText(siteVerifyText);
  const { modes } = useText(siteGuardText);
  const { cc_guardian_rule: guard } = posture;
  const { https, matcher_rule: matchers, browser_verify_rule: verify, security, access_control } = posture;
  const detection = useDetectionDetails(posture.used_system_rule);
  const transport = https.state === 'off' ? t.noCertificate : https.redirect ? t.redirect : t.noRedirect;
  return {
    https: https.hsts ? `${transport} · ${t.hsts}` : transport,
    access_control: t.rules(access_control.rules),
    block_referer: '',
    security: t.limits(security.limits),
    matcher_rule: t.matchers(matchers.enforcing, matchers.observing),
    cc_guardian_rule: [modes[guard.mode], ...(guard.rules > 0 ? [t.rules(guard.rules)] : [])].join(' · '),
    browser_verify_rule: verify.state === 'off' ? '' : kinds[verify.kind],
    used_system_rule: detection,
    bans: t.bans(posture.bans),
  };
}

/** The groups by their modes, unless all have the same. */
function useDetectionDetails({ groups, exceptions, state }: Posture['used_system_rule']): string {
  const t = useText(sitePostureText);
  const { modes } = useText(siteSystemRulesText);
  const { groups: names } = useText(detectorText);
  const language = useLanguage();
  if (state === 'off') return '';
  const byMode = [...Map.groupBy(groups, ({ mode }) => mode)];
  const said =
    byMode.length === 1
      ? [modes[byMode[0]![0]]]
      : byMode.map(([mode, of]) =>
          t.groupsOf(
            modes[mode],
            formatList(
              of.map(({ group }) => names[group]),
              language,
            ),
          ),
        );
  return [...said, ...(exceptions > 0 ? [t.exceptions(exceptions)] : [])].join(' · ');
}

function Advice({ advice }: { advice: readonly PostureAdvice[] }) {
  const t = useText(sitePostureText);
  const { site } = useSite();
  return (
    <Section title={t.advice}>
      {advice.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.noAdvice}
        </Typography>
      ) : (
        <Stack component="ol" sx={{ m: 0, pl: 2.5, gap: 1 }}>
          {advice.map((name) => (
            <Typography key={name} component="li" variant="body2">
              <TextLink target={to.siteDetail({ id: site.id }, { tab: adviceTabs[name] })}>
                {t.advices[name]}
              </TextLink>
            </Typography>
          ))}
        </Stack>
      )}
    </Section>
  );
}
