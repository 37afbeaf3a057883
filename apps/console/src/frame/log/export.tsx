import {
  dataExportInput,
  exportDays,
  exportFormats,
  exportRecordsMax,
  type DataExportInput,
} from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useDenial } from '../denial.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { NumberInput, SelectInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { notify } from '../../kit/toast.ts';
import { logText } from './log.text.ts';

const exportForm = dataExportInput.pick({ format: true, count: true });

interface AccessLogExportProps {
  filters: DataExportInput['filters'];
  onClose: () => void;
}

/** The way to an export of what a search finds; customers have none. */
export function ExportOfSearch({ filters }: Pick<AccessLogExportProps, 'filters'>) {
  const t = useText(logText);
  const admin = useAccount().role === 'admin';
  const denial = useDenial();
  const [open, setOpen] = useState(false);
  if (!admin) return null;
  return (
    <>
      <ActionButton
        icon="download"
        variant="outlined"
        color="inherit"
        onClick={() => setOpen(true)}
        disabledReason={denial('createDataExport')}
      >
        {t.export}
      </ActionButton>
      {open && <AccessLogExport filters={filters} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What a search asks for, without its order and pages. */
export function filtersOf<Search extends object>(
  search: Search,
): Omit<Search, 'current_page' | 'page_size' | 'time_sort'> {
  const filters: Search & { current_page?: unknown; page_size?: unknown; time_sort?: unknown } = {
    ...search,
  };
  delete filters.current_page;
  delete filters.page_size;
  delete filters.time_sort;
  return filters;
}

/** Writes what the search finds to a file; the screen of exports then shows how far it is. */
function AccessLogExport({ filters, onClose }: AccessLogExportProps) {
  const t = useText(logText);
  const navigate = useNavigate();
  const create = useChange('createDataExport');
  const form = useSchemaForm(exportForm, { format: 'csv', count: exportRecordsMax });
  const submit = submitForm(form, async (values) => {
    const { records_total } = await create.mutateAsync({ body: { ...values, filters } });
    notify.success(t.exportStarted(formatCount(records_total)));
    onClose();
    await navigate({ ...to.dataExports(), ignoreBlocker: true });
  });
  return (
    <FormDrawer title={t.export} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.export}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t.exportHint(exportDays)}
      </Typography>
      <SelectInput
        control={form.control}
        name="format"
        label={t.format}
        options={exportFormats.map((value) => ({ value, label: t.formats[value] }))}
      />
      <NumberInput
        control={form.control}
        name="count"
        label={t.count}
        hint={t.countHint(formatCount(exportRecordsMax))}
      />
    </FormDrawer>
  );
}
