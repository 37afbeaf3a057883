import { Box, Button, Popover, Stack, TextField, ToggleButton } from '@mui/material';
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useState, type FormEvent } from 'react';
import { useText } from '../../i18n/text.ts';
import type { IconName } from '../icon-names.ts';
import { Icon } from '../icon.tsx';
import { fieldsText } from './fields.text.ts';
import { Hint } from '../hint.tsx';

interface RichTextEditorProps {
  label: string;
  value: string;
  onChange: (html: string) => void;
  locked: boolean;
  labelledBy: string;
  describedBy: string | undefined;
  invalid: boolean;
  register: (instance: { focus: () => void } | null) => void;
}

const safeLink = (url: string): boolean => /^(?:https?:\/\/|mailto:)\S+$/i.test(url);
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    horizontalRule: false,
    link: {
      openOnClick: false,
      isAllowedUri: safeLink,
      HTMLAttributes: { rel: 'noopener noreferrer nofollow', target: '_blank' },
    },
  }),
];
const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML());

/** TipTap in its own chunk. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { label, value, onChange, locked, labelledBy, describedBy, invalid, register } = props;
  const editor = useEditor({
    extensions,
    content: value,
    editable: !locked,
    onUpdate: ({ editor: changed }) => onChange(htmlOf(changed)),
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        'aria-invalid': String(invalid),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(locked ? { 'aria-readonly': 'true', tabindex: '0' } : {}),
      },
    },
  });
  useEffect(() => register({ focus: () => editor.commands.focus() }), [editor, register]);
  useEffect(() => {
    if (!editor.isDestroyed && htmlOf(editor) !== value)
      editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);
  useEffect(() => {
    if (!editor.isDestroyed) editor.setEditable(!locked, false);
  }, [editor, locked]);
  return (
    <>
      {!locked && <Toolbar editor={editor} label={label} />}
      <Box
        component={EditorContent}
        editor={editor}
        sx={{
          '& .tiptap': { minHeight: 140, px: 2, py: 1.5, outline: 'none', overflowWrap: 'anywhere' },
          '& .tiptap > :first-of-type': { mt: 0 },
          '& .tiptap > :last-child': { mb: 0 },
          '& blockquote': {
            m: 0,
            paddingInlineStart: '16px',
            borderInlineStart: 3,
            borderColor: 'divider',
            color: 'text.secondary',
          },
          '& pre': { p: 1.5, borderRadius: 1, bgcolor: 'action.hover', fontSize: 13, overflowX: 'auto' },
        }}
      />
    </>
  );
}

const marks = ['bold', 'italic'] as const;

function Toolbar({ editor, label }: { editor: Editor; label: string }) {
  const t = useText(fieldsText);
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      heading: now.isActive('heading'),
      bulletList: now.isActive('bulletList'),
      orderedList: now.isActive('orderedList'),
      blockquote: now.isActive('blockquote'),
      codeBlock: now.isActive('codeBlock'),
      link: now.isActive('link'),
    }),
  });
  const at = () => editor.chain().focus();
  const toggle = { bold: () => at().toggleBold().run(), italic: () => at().toggleItalic().run() };
  return (
    <Stack
      direction="row"
      role="toolbar"
      aria-label={t.toolbar(label)}
      sx={{ flexWrap: 'wrap', gap: 0.25, p: 0.5, borderBottom: 1, borderColor: 'divider' }}
    >
      {marks.map((mark) => (
        <Tool key={mark} icon={mark} label={t[mark]} active={active[mark]} onClick={toggle[mark]} />
      ))}
      <Tool
        icon="text"
        label={t.heading}
        active={active.heading}
        onClick={() => at().toggleHeading({ level: 2 }).run()}
      />
      <Tool
        icon="list-bullets"
        label={t.bulletList}
        active={active.bulletList}
        onClick={() => at().toggleBulletList().run()}
      />
      <Tool
        icon="list-numbers"
        label={t.orderedList}
        active={active.orderedList}
        onClick={() => at().toggleOrderedList().run()}
      />
      <Tool
        icon="quote"
        label={t.quote}
        active={active.blockquote}
        onClick={() => at().toggleBlockquote().run()}
      />
      <Tool
        icon="code"
        label={t.code}
        active={active.codeBlock}
        onClick={() => at().toggleCodeBlock().run()}
      />
      <LinkTool editor={editor} active={active.link} />
    </Stack>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  active: boolean;
  onClick: (event: React.MouseEvent<HTMLElement>) => void;
}

function Tool({ icon, label, active, onClick }: ToolProps) {
  return (
    <Hint title={label}>
      <ToggleButton
        value={icon}
        size="small"
        selected={active}
        aria-label={label}
        onClick={onClick}
        sx={{ border: 0, p: 0.75 }}
      >
        <Icon name={icon} size={18} />
      </ToggleButton>
    </Hint>
  );
}

function LinkTool({ editor, active }: { editor: Editor; active: boolean }) {
  const t = useText(fieldsText);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [address, setAddress] = useState('');
  const [wrong, setWrong] = useState(false);
  const close = () => setAnchor(null);
  const apply = (event: FormEvent) => {
    // The form around the editor must not be sent.
    event.preventDefault();
    event.stopPropagation();
    if (!safeLink(address)) return setWrong(true);
    editor.chain().focus().extendMarkRange('link').setLink({ href: address }).run();
    return close();
  };
  return (
    <>
      <Tool
        icon="link"
        label={t.link}
        active={active}
        onClick={(event) => {
          setAddress(String(editor.getAttributes('link')['href'] ?? 'https://'));
          setWrong(false);
          setAnchor(event.currentTarget);
        }}
      />
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      >
        <Stack
          component="form"
          noValidate
          onSubmit={apply}
          direction="row"
          sx={{ p: 1.5, gap: 1, alignItems: 'flex-start', width: 420, maxWidth: '90vw' }}
        >
          <TextField
            autoFocus
            label={t.linkAddress}
            value={address}
            onChange={({ target }) => setAddress(target.value.trim())}
            error={wrong}
            helperText={wrong ? t.linkInvalid : undefined}
            slotProps={{ htmlInput: { dir: 'ltr', inputMode: 'url' } }}
          />
          <Button type="submit" variant="contained">
            {t.applyLink}
          </Button>
          {active && (
            <Button
              color="inherit"
              onClick={() => {
                editor.chain().focus().extendMarkRange('link').unsetLink().run();
                close();
              }}
            >
              {t.removeLink}
            </Button>
          )}
        </Stack>
      </Popover>
    </>
  );
}
