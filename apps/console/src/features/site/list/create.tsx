import { siteCreateInput } from '@breakwater/contract';
import { Box, Button, Collapse, Stack } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormState, type Control } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { orderChoices } from '../../../api/options.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { NumberInput, SelectInput, TagsInput, TextInput } from '../../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../../kit/fields/remote-select.tsx';
import { FormPage } from '../../../kit/form/form-page.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { LinkButton } from '../../../kit/router-link.tsx';
import { notify } from '../../../kit/toast.ts';
import { SiteImportNew } from '../version/import.tsx';
import { splitOrigin } from './split-origin.ts';
import { siteOriginText } from '../sections/origin/origin.text.ts';
import { siteListText } from './list.text.ts';
import { siteText } from '../site.text.ts';

/** As the contract has it, with the further origins as they are typed: `host:port`. */
type Input = Omit<z.input<typeof siteCreateInput>, 'other_origins'> & { other_origins: string[] };
const formSchema = z.preprocess((value) => {
  const { other_origins: others, ...fields } = value as Input;
  // People paste what they have, `host:port` or a URL; the contract has each part for itself.
  return { ...splitOrigin(fields), other_origins: others.map(otherOrigin) };
}, siteCreateInput) as z.ZodType<z.output<typeof siteCreateInput>, Input>;

/** A protocol that was pasted is dropped: one protocol is used for all origins, and the first of them says which. */
function otherOrigin(text: string) {
  const { origin, origin_port: port } = splitOrigin<{ origin: string; origin_port?: number }>({
    origin: text,
  });
  return port === undefined ? { address: origin } : { address: origin, port };
}

/**
 * The screen that adds a site: a domain and an origin suffice. It goes on to the page of the site, which says
 * what DNS records to create.
 */
export function SiteCreate() {
  const t = useText(siteText);
  const denial = useDenial();
  const navigate = useNavigate();
  const create = useChange('createSite');
  /** Undefined is the contract's default: HTTP, its port, the newest active order of the customer. */
  const form = useSchemaForm(formSchema, {
    domains: [],
    origin: '',
    origin_protocol: undefined,
    origin_port: undefined,
    other_origins: [],
    order_id: undefined,
  });
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    const { id } = await create.mutateAsync({ body });
    notify.success(t.create.done);
    // In the form's place in the history: whoever goes back from the site does not come to add it once more.
    await navigate({ ...to.siteDetail({ id }), replace: true, ignoreBlocker: true });
  });
  return (
    <FormPage
      title={t.create.title}
      subtitle={t.create.subtitle}
      back={{ target: to.sites(), label: t.title }}
      actions={<CreateOtherwise />}
      form={{ ...form, isNew: true }}
      onSubmit={submit}
      submitLabel={t.create.submit}
      disabledReason={denial('createSite')}
    >
      <Section>
        <Stack sx={{ gap: 3 }}>
          <TagsInput
            control={control}
            name="domains"
            label={t.create.domains}
            hint={t.create.domainsHint}
            placeholder="www.example.com"
          />
          <TextInput
            control={control}
            name="origin"
            label={t.create.origin}
            hint={t.create.originHint}
            placeholder="203.0.113.10"
          />
          <FurtherFields control={control} />
        </Stack>
      </Section>
    </FormPage>
  );
}

const furtherFields = ['origin_protocol', 'origin_port', 'other_origins', 'order_id'] as const;

/** What most sites are well without. */
function FurtherFields({ control }: { control: Control<Input, unknown, z.output<typeof siteCreateInput>> }) {
  const t = useText(siteText);
  const list = useText(siteListText);
  const [wasOpened, setOpened] = useState(false);
  const { errors } = useFormState({ control });
  // What is wrong in them must not stay out of sight.
  const open = wasOpened || furtherFields.some((name) => errors[name] !== undefined);
  const { protocols } = useText(siteOriginText);
  return (
    <div>
      <Button
        color="inherit"
        size="small"
        aria-expanded={open}
        onClick={() => setOpened(!open)}
        // WAI-ARIA's disclosure pattern: `aria-expanded` tells the state, the arrow shows it.
        startIcon={
          <Icon
            name={open ? 'down' : 'right'}
            size={16}
            sx={{ '[dir=rtl] &': { transform: open ? 'none' : 'scaleX(-1)' } }}
          />
        }
      >
        {t.create.advanced}
      </Button>
      <Collapse in={open} unmountOnExit>
        <Stack sx={{ gap: 3, pt: 2 }}>
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <SelectInput
              control={control}
              name="origin_protocol"
              label={t.create.protocol}
              options={(['http', 'https', 'follow'] as const).map((value) => ({
                value,
                label: protocols[value],
              }))}
            />
            <NumberInput
              control={control}
              name="origin_port"
              label={t.create.port}
              hint={t.create.portHint}
            />
          </Box>
          <TagsInput
            control={control}
            name="other_origins"
            label={list.otherOrigins}
            hint={list.otherOriginsHint}
          />
          <RemoteSelect
            control={control}
            name="order_id"
            label={t.create.order}
            choices={orderChoices}
            placeholder={t.create.orderDefault}
          />
        </Stack>
      </Collapse>
    </div>
  );
}

/** Ways to more than one site. */
function CreateOtherwise() {
  const t = useText(siteListText);
  const [importing, setImporting] = useState(false);
  const denial = useDenial();
  return (
    <>
      <ActionButton
        icon="upload"
        color="inherit"
        variant="outlined"
        onClick={() => setImporting(true)}
        disabledReason={denial('importNewSite')}
      >
        {t.import}
      </ActionButton>
      <LinkButton target={to.siteBatches()} icon="list-bullets" color="inherit" variant="outlined">
        {t.batch}
      </LinkButton>
      {importing && <SiteImportNew onClose={() => setImporting(false)} />}
    </>
  );
}
