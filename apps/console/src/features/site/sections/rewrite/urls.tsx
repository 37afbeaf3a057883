import {
  redirectRule,
  redirectStatuses,
  redirectType,
  urlRewriteRule,
  urlRewriteType,
  type RedirectRule,
  type UrlRewriteRule,
} from '@breakwater/contract';
import { Box } from '@mui/material';
import { useFormState, useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { SelectInput, SwitchInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { RewriteControl } from './rewrite.tsx';
import { RuleRow, RuleSection } from './row.tsx';
import { siteRewriteText } from './rewrite.text.ts';

interface RowProps {
  control: RewriteControl;
  index: number;
}

/** With the contract's defaults, which it only has for a rule that is valid; what is to be entered is emptied again. */
const newRedirect: RedirectRule = {
  ...redirectRule.parse({ type: 'prefix', from: '/a', to: '/b', status: 301 }),
  from: '',
  to: '',
};

/** Addresses that visitors are sent on from. The first rule that fits is taken. */
export function Redirects({ control }: { control: RewriteControl }) {
  const t = useText(siteRewriteText);
  return (
    <RuleSection
      control={control}
      name="redirects"
      title={t.redirects}
      hint={t.redirectsHint}
      emptyTitle={t.noRedirects}
      emptyHint={t.noRedirectsHint}
      addLabel={t.addRedirect}
      blank={newRedirect}
      max={200}
    >
      {(index) => <RedirectRow control={control} index={index} />}
    </RuleSection>
  );
}

/** Placeholders, since `from` means something else with each type. */
const redirectExamples: Record<RedirectRule['type'], [from: string, to: string]> = {
  url: ['/old.html', '/new.html'],
  prefix: ['/old/', 'https://www.example.com/new/'],
  regex: ['^/post/([0-9]+)$', '/blog?id=$1'],
  domain: ['old.example.com', 'https://www.example.com'],
  port: ['8080', 'https://${host}'],
};

function RedirectRow({ control, index }: RowProps) {
  const t = useText(siteRewriteText);
  const rule = useWatch({ control, name: `redirects.${index}` }) as RedirectRule;
  const { errors } = useFormState({ control, name: `redirects.${index}` });
  const name = `redirects.${index}` as const;
  const [from, to] = redirectExamples[rule.type];
  // Hosts have no case to keep (RFC 9110 §4.2.3), ports have none; and where the whole URL is named, no rest of it is left to keep.
  const hasCase = rule.type === 'url' || rule.type === 'prefix' || rule.type === 'regex';
  const hasRest = rule.type === 'prefix' || rule.type === 'domain' || rule.type === 'port';
  return (
    <RuleRow
      control={control}
      list="redirects"
      index={index}
      summary={`${t.types[rule.type]} ${rule.from || t.unset} → ${rule.status} ${rule.to || t.unset}`}
      isEnabled={rule.enabled}
      // One that was just added.
      startsOpen={rule.from === ''}
      hasError={errors.redirects?.[index] !== undefined}
    >
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`${name}.type`}
          label={t.type}
          options={redirectType.options.map((value) => ({ value, label: t.types[value] }))}
        />
        <SelectInput
          control={control}
          name={`${name}.status`}
          label={t.status}
          options={redirectStatuses.map((value) => ({ value, label: t.statuses[value] }))}
        />
      </Box>
      <TextInput
        control={control}
        name={`${name}.from`}
        label={t.from}
        hint={t.fromHints[rule.type]}
        placeholder={from}
      />
      <TextInput
        control={control}
        name={`${name}.to`}
        label={t.to}
        hint={rule.type === 'regex' ? t.toRegexHint : t.toHint}
        placeholder={to}
      />
      <Box sx={fieldGrid}>
        {hasRest && (
          <SwitchInput
            control={control}
            name={`${name}.keep_path`}
            label={t.keepPath}
            hint={t.keepPathHint}
          />
        )}
        <SwitchInput
          control={control}
          name={`${name}.keep_query`}
          label={t.keepQuery}
          hint={t.keepQueryHint}
        />
        {hasCase && (
          <SwitchInput
            control={control}
            name={`${name}.case_insensitive`}
            label={t.ignoreCase}
            hint={t.ignoreCaseHint}
          />
        )}
      </Box>
    </RuleRow>
  );
}

/** As `newRedirect`. */
const newUrlRewrite: UrlRewriteRule = {
  ...urlRewriteRule.parse({ type: 'prefix', from: '/a', to: '/b' }),
  from: '',
  to: '',
};

/** What cache and origin are asked for in place of an address that the visitor goes on seeing. */
export function UrlRewrites({ control }: { control: RewriteControl }) {
  const t = useText(siteRewriteText);
  return (
    <RuleSection
      control={control}
      name="url_rewrites"
      title={t.urlRewrites}
      hint={t.urlRewritesHint}
      emptyHint={t.noUrlRewritesHint}
      addLabel={t.addUrlRewrite}
      blank={newUrlRewrite}
      max={100}
    >
      {(index) => <UrlRewriteRow control={control} index={index} />}
    </RuleSection>
  );
}

const rewriteExamples: Record<UrlRewriteRule['type'], [from: string, to: string]> = {
  path: ['/', '/index.php'],
  prefix: ['/app/', '/v2/'],
  regex: ['^/item/([0-9]+)$', '/item.php?id=$1'],
};

function UrlRewriteRow({ control, index }: RowProps) {
  const t = useText(siteRewriteText);
  const rule = useWatch({ control, name: `url_rewrites.${index}` }) as UrlRewriteRule;
  const { errors } = useFormState({ control, name: `url_rewrites.${index}` });
  const name = `url_rewrites.${index}` as const;
  const [from, to] = rewriteExamples[rule.type];
  return (
    <RuleRow
      control={control}
      list="url_rewrites"
      index={index}
      summary={`${t.pathTypes[rule.type]} ${rule.from || t.unset} → ${rule.to || t.unset}`}
      isEnabled={rule.enabled}
      // One that was just added.
      startsOpen={rule.from === ''}
      hasError={errors.url_rewrites?.[index] !== undefined}
    >
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`${name}.type`}
          label={t.type}
          options={urlRewriteType.options.map((value) => ({ value, label: t.pathTypes[value] }))}
        />
        <SelectInput
          control={control}
          name={`${name}.flow`}
          label={t.flow}
          hint={t.flowHint}
          options={(['break', 'continue'] as const).map((value) => ({ value, label: t.flows[value] }))}
        />
      </Box>
      <TextInput
        control={control}
        name={`${name}.from`}
        label={t.from}
        hint={t.fromHints[rule.type]}
        placeholder={from}
      />
      <TextInput
        control={control}
        name={`${name}.to`}
        label={t.to}
        hint={rule.type === 'regex' ? t.toRegexHint : t.toPathHint}
        placeholder={to}
      />
      <Box sx={fieldGrid}>
        <SwitchInput
          control={control}
          name={`${name}.keep_query`}
          label={t.keepQuery}
          hint={t.keepQueryHint}
        />
        <SwitchInput
          control={control}
          name={`${name}.case_insensitive`}
          label={t.ignoreCase}
          hint={t.ignoreCaseHint}
        />
      </Box>
    </RuleRow>
  );
}
