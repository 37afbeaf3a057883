import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { Box } from '@mui/material';
import { useEffect, useRef } from 'react';
import { monospace } from '../../theme/theme.ts';

interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  language: 'json' | 'text';
  locked: boolean;
  minHeight: number;
  labelledBy: string;
  describedBy: string | undefined;
  invalid: boolean;
  /** Takes what the form focuses when the field is wrong. */
  register: (instance: { focus: () => void } | null) => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-name)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-value)' },
  { tag: tags.comment, color: 'var(--mui-palette-text-secondary)', fontStyle: 'italic' },
]);

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'transparent', color: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  // The scroller has the padding: line numbers would follow one of the content only after the next change.
  '.cm-scroller': {
    padding: '8px 0',
    fontFamily: monospace,
    lineHeight: '20px',
    direction: 'ltr',
    textAlign: 'left',
  },
  '.cm-content': { padding: 0, caretColor: 'var(--mui-palette-text-primary)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--mui-palette-text-secondary)',
    border: 'none',
  },
  '.cm-activeLine': { backgroundColor: 'var(--mui-palette-action-hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--mui-palette-text-primary)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'rgba(0, 184, 217, 0.3) !important',
  },
});

/** CodeMirror in its own chunk. Tab leaves it, as it leaves every other field. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, onChange, language, locked, minHeight, labelledBy, describedBy, invalid, register } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(onChange);
  const settings = useRef(new Compartment());
  const own: Extension = [
    EditorState.readOnly.of(locked),
    EditorView.contentAttributes.of({
      'aria-labelledby': labelledBy,
      'aria-invalid': String(invalid),
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      ...(locked ? { 'aria-readonly': 'true', tabindex: '0' } : {}),
    }),
    language === 'json' ? json() : [],
  ];
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          indentOnInput(),
          highlightActiveLine(),
          syntaxHighlighting(colours),
          EditorView.lineWrapping,
          look,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of(
            (update) => update.docChanged && latest.current(update.state.doc.toString()),
          ),
          settings.current.of(own),
        ],
      }),
    });
    view.current = made;
    register({ focus: () => made.focus() });
    return () => made.destroy();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- made once; what changes later goes in by the effects below
  }, []);
  useEffect(() => {
    view.current?.dispatch({ effects: settings.current.reconfigure(own) });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- these are all that the settings are made of
  }, [language, locked, labelledBy, describedBy, invalid]);
  useEffect(() => {
    const made = view.current;
    if (made && made.state.doc.toString() !== value)
      made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } });
  }, [value]);
  return (
    <Box
      ref={host}
      sx={(theme) => ({
        '& .cm-editor': { minHeight },
        '--code-name': theme.vars!.palette.secondary.dark,
        '--code-string': theme.vars!.palette.primary.dark,
        '--code-value': theme.vars!.palette.info.dark,
        ...theme.applyStyles('dark', {
          '--code-name': theme.vars!.palette.secondary.light,
          '--code-string': theme.vars!.palette.primary.light,
          '--code-value': theme.vars!.palette.info.light,
        }),
      })}
    />
  );
}
