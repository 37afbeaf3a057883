import { accessActions, accessControl, denyStatuses, type AccessControl } from '@breakwater/contract';
import { Alert, Box, Stack } from '@mui/material';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { SelectInput } from '../../../../kit/fields/inputs.tsx';
import { CodeInput } from '../../../../kit/fields/code-input.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm, useSectionSave } from '../../section/form.tsx';
import { useLevel } from '../../section/host.tsx';
import { AccessRules } from './rules.tsx';
import { AccessAbove, LevelAccessRules } from './level.tsx';
import { CorsFields } from './cors.tsx';
import { PasswordLogin } from './login.tsx';
import { SignedLinks } from './signed-links.tsx';
import { accessRuleText } from '../../../../domain/access-rule.text.ts';
import { siteAccessText } from './access.text.ts';
import { useSite } from '../../context.tsx';

type Form = UseFormReturn<z.input<typeof accessControl>, unknown, AccessControl>;
export type AccessFormControl = Form['control'];

/**
 * The tab “Access control”, of a site or of a level. A level has rules alone, which are asked before those of
 * nearer levels and of the site (docs/access.md).
 */
export function SiteAccess() {
  return useLevel() === null ? <OwnAccess /> : <LevelAccessRules />;
}

function OwnAccess() {
  const { site } = useSite();
  const config = useFormRead('getAccessControl', { query: { site_id: site.id } });
  return <Loaded read={config}>{(data) => <AccessForm latest={data} refetch={config.refetch} />}</Loaded>;
}

/** Not inherited: what is read has no fields that come from a level. */
interface AccessFormProps {
  latest: { version: number; value: AccessControl };
  refetch: ReturnType<typeof useFormRead<'getAccessControl'>>['refetch'];
}

function AccessForm({ latest, refetch }: AccessFormProps) {
  const { site } = useSite();
  const save = useSectionSave('updateAccessControl');
  const section = useSectionForm(
    accessControl,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
    'access_control',
  );
  const { control } = section.form;
  return (
    <SectionForm section={section}>
      <AccessAbove />
      <AccessRules control={control} />
      <Otherwise control={control} />
      <SignedLinks control={control} />
      <PasswordLogin control={control} known={knownIn(latest.value)} />
      <CorsFields control={control} />
    </SectionForm>
  );
}

/** Names whose passwords the server holds. */
const knownIn = ({ basic_auth: { users } }: AccessControl): string[] =>
  users.flatMap(({ name, password_set: isSet }) => (isSet === true ? name : []));

/** What becomes of visitors whom no rule fits, and what those get who are refused. */
function Otherwise({ control }: { control: AccessFormControl }) {
  const t = useText(siteAccessText);
  const { actions } = useText(accessRuleText);
  const [rules, otherwise] = useWatch({ control, name: ['rules', 'otherwise'] });
  // Refusing everybody can be meant, and is most often a rule that was forgotten: it is said, and not refused.
  const locksAll =
    otherwise === 'deny' && !rules?.some((rule) => rule.action === 'allow' && rule.enabled !== false);
  return (
    <Section title={t.otherwiseTitle}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <SelectInput
            control={control}
            name="otherwise"
            label={t.otherwise}
            hint={t.otherwiseHint}
            options={accessActions.map((value) => ({ value, label: actions[value] }))}
          />
          <SelectInput
            control={control}
            name="deny.status"
            label={t.denyStatus}
            options={denyStatuses.map((value) => ({ value, label: String(value) }))}
          />
        </Box>
        {locksAll && <Alert severity="warning">{t.locksAll}</Alert>}
        <CodeInput control={control} name="deny.body" label={t.denyBody} hint={t.denyBodyHint} rows={3} />
      </Stack>
    </Section>
  );
}
