import { Badge, Box, Stack, Typography, useMediaQuery } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { fontFamilies, fontStack } from '../../theme/fonts.ts';
import { swatch } from '../../theme/palette.ts';
import { isChanged, primaryColors, settings, useSettings } from '../../theme/settings.ts';
import { Choices, ToggleCard } from './settings-controls.tsx';
import { LayoutPicture, NavColorPicture } from './settings-pictures.tsx';
import { settingsText } from './settings.text.ts';
import { SideDrawer } from '../side-drawer.tsx';
import { useFullScreen } from '../use-full-screen.ts';

const widthPx = 360;
/** The compact layout has no effect below (spec §2). */
export const compactFromPx = 1600;

export function SettingsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText(settingsText);
  const values = useSettings();
  const changed = isChanged(values);
  const [isFull, toggleFull] = useFullScreen();
  const wide = useMediaQuery(`(min-width: ${compactFromPx + 1}px)`);
  const { set } = settings;
  return (
    <SideDrawer
      open={open}
      onClose={onClose}
      title={t.title}
      widthPx={widthPx}
      actions={
        <>
          <ActionIcon
            icon={isFull ? 'quit-full-screen' : 'full-screen'}
            label={isFull ? t.exitFullScreen : t.fullScreen}
            onClick={toggleFull}
          />
          <Badge variant="dot" color="error" invisible={!changed} overlap="circular">
            <ActionIcon icon="reset" label={t.reset} onClick={() => settings.reset()} />
          </Badge>
        </>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1.5 }}>
        <ToggleCard
          icon="moon"
          label={t.dark}
          checked={values.colorScheme === 'dark'}
          onChange={(on) => set({ colorScheme: on ? 'dark' : 'light' })}
        />
        <ToggleCard
          icon="contrast"
          label={t.contrast}
          checked={values.contrast === 'hight'}
          onChange={(on) => set({ contrast: on ? 'hight' : 'default' })}
        />
        <ToggleCard
          icon="direction"
          label={t.rightToLeft}
          checked={values.direction === 'rtl'}
          onChange={(on) => set({ direction: on ? 'rtl' : 'ltr' })}
        />
        <ToggleCard
          icon="compact"
          label={t.compact}
          hint={t.compactHint}
          disabled={!wide}
          checked={values.compactLayout}
          onChange={(compactLayout) => set({ compactLayout })}
        />
      </Box>
      <Choices
        title={t.presets}
        columns={3}
        value={values.primaryColor}
        options={primaryColors.map((value) => ({ value, label: t.preset[value] }))}
        onChange={(primaryColor) => set({ primaryColor })}
        picture={(value) => (
          <Box component="span" sx={{ width: 26, height: 26, borderRadius: '50%', bgcolor: swatch(value) }} />
        )}
      />
      <Stack component="section" sx={{ gap: 1.5 }}>
        <Typography component="h3" variant="subtitle2">
          {t.nav}
        </Typography>
        <Choices
          title={t.navLayout}
          columns={3}
          value={values.navLayout}
          options={(['vertical', 'horizontal', 'mini'] as const).map((value) => ({
            value,
            label: t.layout[value],
          }))}
          onChange={(navLayout) => set({ navLayout })}
          picture={(value) => <LayoutPicture layout={value} />}
        />
        <Choices
          title={t.navColor}
          columns={2}
          value={values.navColor}
          options={(['integrate', 'apparent'] as const).map((value) => ({ value, label: t.color[value] }))}
          onChange={(navColor) => set({ navColor })}
          picture={(value) => <NavColorPicture color={value} />}
        />
      </Stack>
      <Choices
        title={t.font}
        columns={2}
        value={values.fontFamily}
        options={fontFamilies.map((value) => ({ value, label: value.replace(' Variable', '') }))}
        onChange={(fontFamily) => set({ fontFamily })}
        picture={(value) => (
          <Box
            component="span"
            aria-hidden
            sx={{ fontFamily: fontStack(value), fontSize: 22, fontWeight: 600, lineHeight: 1.2 }}
          >
            Aa
          </Box>
        )}
      />
    </SideDrawer>
  );
}
