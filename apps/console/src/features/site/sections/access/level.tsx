import { denyStatuses, levelAccess, type AccessRule, type LevelAccess } from '@breakwater/contract';
import { Alert, Box, Card, Chip, Stack, Typography } from '@mui/material';
import { useChange } from '../../../../api/change.ts';
import { call } from '../../../../api/client.ts';
import { useFormRead } from '../../../../api/form-read.ts';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { SelectInput } from '../../../../kit/fields/inputs.tsx';
import { CodeInput } from '../../../../kit/fields/code-input.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section, SectionHeading } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useLevel } from '../../section/host.tsx';
import type { AccessFormControl } from './access.tsx';
import { AccessRuleSummary } from './rule.tsx';
import { AccessRules } from './rules.tsx';
import { siteAccessText } from './access.text.ts';
import { siteAccessLevelText } from './level.text.ts';
import { useSite } from '../../context.tsx';

const section = 'access_control';

/** Who may come in to all sites of a level: asked before what nearer levels and the sites say. */
export function LevelAccessRules() {
  const { ref } = useLevel()!;
  const read = useFormRead('getSiteLevelSection', { query: { ...ref, section } });
  return (
    <Loaded read={read}>
      {({ version, value }) => (
        // The call answers any section's value; here it is known which.
        <LevelForm latest={{ version, value: levelAccess.parse(value) }} refetch={read.refetch} />
      )}
    </Loaded>
  );
}

interface LevelFormProps {
  latest: { version: number; value: LevelAccess };
  refetch: ReturnType<typeof useFormRead<'getSiteLevelSection'>>['refetch'];
}

function LevelForm({ latest, refetch }: LevelFormProps) {
  const t = useText(siteAccessText);
  const own = useText(siteAccessLevelText);
  const level = useLevel()!;
  const { mutateAsync } = useChange('updateSiteLevelSection');
  const form = useSectionForm(
    levelAccess,
    latest,
    async (body) => {
      const query = { ...level.ref, section } as const;
      // The preview asks for no version: it is only looked at.
      const { value } = body;
      if (!(await level.confirm(await call('previewSiteLevelSection', { query, body: { value } })))) return;
      return mutateAsync({ query, body });
    },
    refetch as never,
    section,
  );
  // The parts for rules are written for a site's form, of which a level has these fields.
  const control = form.form.control as unknown as AccessFormControl;
  return (
    <SectionForm section={form}>
      <Alert severity="info">{own.order}</Alert>
      <AccessRules control={control} hint={own.rulesHint} empty={{ title: own.empty, hint: own.emptyHint }} />
      <Section title={own.deny}>
        <Stack sx={{ gap: 2 }}>
          <Box sx={fieldGrid}>
            <SelectInput
              control={control}
              name="deny.status"
              label={t.denyStatus}
              options={denyStatuses.map((value) => ({ value, label: String(value) }))}
            />
          </Box>
          <CodeInput control={control} name="deny.body" label={t.denyBody} hint={t.denyBodyHint} rows={3} />
        </Stack>
      </Section>
    </SectionForm>
  );
}

/** What is asked before the rules of the site; nothing where no level says anything. */
export function AccessAbove() {
  const t = useText(siteAccessLevelText);
  const { site } = useSite();
  // Only looked at here: customers see what decides before their rules, and cannot change it.
  const { data } = useApi('getAccessAbove', { query: { site_id: site.id } });
  if (data === undefined || data.levels.length === 0) return null;
  return (
    <Card sx={{ p: 3 }}>
      <SectionHeading title={t.above} hint={t.aboveHint} />
      <Stack component="ol" sx={{ listStyle: 'none', m: 0, mt: 2, p: 0, gap: 1 }}>
        {data.levels.flatMap(({ level, rules }) =>
          // Those that are switched off decide nothing.
          allowedFirst(rules).map(({ rule, index }) => (
            <Stack
              component="li"
              key={`${level} ${index}`}
              direction="row"
              sx={{ gap: 1, alignItems: 'baseline', flexWrap: 'wrap' }}
            >
              <Chip size="small" label={t.levels[level]} />
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                {rule.note === '' ? '' : `${rule.note} · `}
                <AccessRuleSummary rule={rule} />
              </Typography>
            </Stack>
          )),
        )}
      </Stack>
    </Card>
  );
}

/** In the order in which a level's rules are asked. */
function allowedFirst(rules: readonly AccessRule[]) {
  const on = rules.flatMap((rule, index) => (rule.enabled ? { rule, index } : []));
  return [
    ...on.filter(({ rule }) => rule.action === 'allow'),
    ...on.filter(({ rule }) => rule.action === 'deny'),
  ];
}
