import type { AttachmentRequest, McpPrompt, McpResourceTemplate } from '@shared/contracts/mcp-content-types.ts';
import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import type { ContentKind } from '../../../../stores/content.ts';
import { attachmentsOf, draftOf, useDrafts } from '../../../../stores/drafts.ts';
import { useToasts } from '../../../../stores/toasts.ts';
import { useAction } from '../../../../ui/useAction.ts';
import { ArgumentsDialog, templateFields } from '../../../content/ArgumentsDialog.tsx';
import { mayOffer } from '../../../content/use-listings.ts';
import { composerInput, dropFocus, focusComposer } from '../focus.ts';
import type { Picked } from './ContentPicker.tsx';

/** As many as a message may have; main's contract says the same. */
const MAX_ATTACHMENTS = 20;

type Asking = { server: McpServerView } & ({ template: McpResourceTemplate } | { prompt: McpPrompt });

/** What the composer takes from servers: the list that is open, what is being filled in, and what becomes of it. */
export function useComposerContent(conversationId: string | null) {
  const { t } = useTranslation('content');
  const [open, setOpen] = useState<ContentKind | null>(null);
  const [query, setQuery] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  /** What was typed in the draft to open the list, from `at` to `end`: it goes away when something is chosen. */
  const typed = useRef<{ conversationId: string | null; at: number; end: number } | null>(null);
  const { write, attach } = useDrafts.getState();

  const attachAll = (added: readonly AttachmentRequest[]) => {
    const all = [...attachmentsOf(useDrafts.getState(), conversationId), ...added];
    if (all.length > MAX_ATTACHMENTS) {
      useToasts.getState().show({ tone: 'danger', text: t('tooMany', { count: MAX_ATTACHMENTS }) });
    }
    attach(conversationId, all.slice(0, MAX_ATTACHMENTS));
  };

  const insertPrompt = async (server: McpServerView, prompt: McpPrompt, values: Record<string, string>) => {
    const filled = await unwrap(api().mcpContent.prompt({ serverId: server.id, name: prompt.name, values }));
    const before = draftOf(useDrafts.getState(), conversationId).trimEnd();
    write(conversationId, [before, filled.text].filter((text) => text !== '').join('\n\n'));
    attachAll(filled.attachments);
    close();
  };
  const insert = useAction(insertPrompt);

  const show = (kind: ContentKind) => {
    dropFocus();
    setQuery('');
    setOpen(kind);
  };

  const close = () => {
    setOpen(null);
    setAsking(null);
    giveBack();
    focusComposer();
  };

  /** Nothing was chosen for what was typed: it was meant as text. */
  const giveBack = () => {
    if (!typed.current) return;
    const { conversationId: of, end } = typed.current;
    typed.current = null;
    replaceTyped(of, end, end, query);
  };

  /** Edits a draft, with the cursor after it: at once, for the next key is about to be pressed. */
  const replaceTyped = (of: string | null, from: number, to: number, text: string) => {
    const draft = draftOf(useDrafts.getState(), of);
    const edited = draft.slice(0, from) + text + draft.slice(to);
    const input = composerInput();
    if (of === conversationId && input) {
      input.focus();
      // Not by setRangeText, which React doesn't notice: it would take a key that makes the old text again for no change.
      input.value = edited;
      input.setSelectionRange(from + text.length, from + text.length);
    }
    write(of, edited);
  };

  const takeTypedAway = () => {
    if (!typed.current) return;
    const { at, end } = typed.current;
    typed.current = null;
    const draft = draftOf(useDrafts.getState(), conversationId);
    if (/[@/]/.test(draft[at] ?? '')) write(conversationId, draft.slice(0, at) + draft.slice(end));
  };

  /** A list that was asked for by its button stays, and says that there is nothing. */
  const onNothing = () => {
    if (typed.current) close();
  };

  /** The key goes on in the message, as if what was typed had never left it. */
  const onTakeBack = () => {
    if (!typed.current) return;
    const { conversationId: of, end } = typed.current;
    typed.current = null;
    replaceTyped(of, end - 1, end, '');
    close();
  };

  const onPick = (picked: Picked) => {
    takeTypedAway();
    setOpen(null);
    if ('resource' in picked) {
      const { uri, name, title, mimeType } = picked.resource;
      attachAll([resourceRequest(picked.server, uri, title ?? name, mimeType)]);
      close();
    } else if ('template' in picked) {
      setAsking({ server: picked.server, template: picked.template });
    } else if (picked.prompt.arguments.length > 0) {
      setAsking({ server: picked.server, prompt: picked.prompt });
    } else {
      close();
      void insert.run(picked.server, picked.prompt, {});
    }
  };

  /** `@` at the beginning of a word opens the resources, `/` at the beginning of the message the prompts. */
  const noteTyped = (event: FormEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart } = event.currentTarget;
    const { data, isComposing } = event.nativeEvent as InputEvent;
    if (typed.current) {
      typed.current.end = selectionStart;
      return;
    }
    if (isComposing || (data !== '@' && data !== '/')) return;
    const at = selectionStart - 1;
    const begins = data === '@' ? at === 0 || /\s/.test(value[at - 1] ?? '') : value === '/';
    if (!begins || value[at] !== data) return;
    const kind = data === '@' ? 'resources' : 'prompts';
    if (!mayOffer(kind)) return;
    typed.current = { conversationId, at, end: selectionStart };
    show(kind);
  };

  const dialog: ReactNode = asking && (
    <ArgumentsDialog
      serverId={asking.server.id}
      onClose={close}
      {...('template' in asking
        ? {
            title: t('fillTemplate', { name: asking.template.title ?? asking.template.name }),
            description: t('fillTemplateText', { server: asking.server.name }),
            of: { type: 'template', uriTemplate: asking.template.uriTemplate },
            fields: templateFields(asking.template),
            submitLabel: t('doAttach'),
            onSubmit: async (values) => {
              const { uriTemplate, mimeType } = asking.template;
              const { uri } = await unwrap(
                api().mcpContent.expand({ serverId: asking.server.id, uriTemplate, values }),
              );
              attachAll([resourceRequest(asking.server, uri, uri, mimeType)]);
              close();
            },
          }
        : {
            title: t('fillPrompt', { name: asking.prompt.title ?? asking.prompt.name }),
            description: asking.prompt.description ?? t('fillPromptText', { server: asking.server.name }),
            of: { type: 'prompt', name: asking.prompt.name },
            fields: asking.prompt.arguments,
            submitLabel: t('doInsert'),
            onSubmit: (values) => insertPrompt(asking.server, asking.prompt, values),
          })}
    />
  );

  return {
    panel: { kind: open, query, onQuery: setQuery, onPick, onNothing, onTakeBack, onClose: close },
    show,
    noteTyped,
    dialog,
    insert,
  };
}

const resourceRequest = (
  server: McpServerView,
  uri: string,
  name: string,
  mimeType: string | undefined,
): AttachmentRequest => ({ kind: 'resource', serverId: server.id, serverName: server.name, uri, name, mimeType });
