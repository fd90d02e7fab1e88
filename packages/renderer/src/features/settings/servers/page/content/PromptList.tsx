import type { McpPrompt } from '@shared/contracts/mcp-content-types.ts';
import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../../bridge/api.ts';
import { unwrap } from '../../../../../bridge/errors.ts';
import type { PromptListing } from '../../../../../stores/content.ts';
import { Button } from '../../../../../ui/Button.tsx';
import { Card } from '../../../../../ui/Card.tsx';
import { VisibleText } from '../../../../../ui/VisibleText.tsx';
import { FoldedText } from '../../../../chat/tools/FoldedText.tsx';
import { ArgumentsDialog } from '../../../../content/ArgumentsDialog.tsx';
import { ContentList, Quiet } from './ContentList.tsx';
import { OpeningItem } from './OpeningItem.tsx';

/** How many are put on the screen at once; the search finds the others. */
const SHOWN = 200;

/** The prompts of a server, each to be filled in and looked at. */
export function PromptList({ server, state }: { server: McpServerView; state: McpServerState }) {
  return (
    <ContentList kind="prompts" server={server} state={state} isEmpty={({ prompts }) => prompts.length === 0}>
      {(listing, matches) => <Prompts server={server} listing={listing} matches={matches} />}
    </ContentList>
  );
}

function Prompts({
  server,
  listing,
  matches,
}: {
  server: McpServerView;
  listing: PromptListing;
  matches: (...texts: (string | undefined)[]) => boolean;
}) {
  const { t } = useTranslation('content');
  const [open, setOpen] = useState<string | null>(null);
  const [filling, setFilling] = useState<McpPrompt | null>(null);
  /** What prompts were filled in to, by name. */
  const [texts, setTexts] = useState<Record<string, string>>({});
  const prompts = listing.prompts.filter((each) => matches(each.name, each.title, each.description));

  return (
    <>
      {listing.prompts.length > 0 && prompts.length === 0 && <Quiet>{t('noMatch')}</Quiet>}
      {prompts.length > 0 && (
        <Card>
          <ul aria-label={t('prompts')} className="divide-y divide-border">
            {prompts.slice(0, SHOWN).map((prompt) => (
              <OpeningItem
                key={prompt.name}
                name={prompt.name}
                title={prompt.title}
                detail={prompt.description}
                open={open === prompt.name}
                onToggle={() => setOpen(open === prompt.name ? null : prompt.name)}
              >
                <Arguments prompt={prompt} />
                <Button size="sm" className="self-start" onClick={() => setFilling(prompt)}>
                  {t('fill')}
                </Button>
                {texts[prompt.name] !== undefined && <FoldedText text={texts[prompt.name] ?? ''} isError={false} />}
              </OpeningItem>
            ))}
          </ul>
        </Card>
      )}
      {filling && (
        <ArgumentsDialog
          title={filling.title ?? filling.name}
          description={t('fillPromptText', { server: server.name })}
          serverId={server.id}
          of={{ type: 'prompt', name: filling.name }}
          fields={filling.arguments}
          submitLabel={t('fill')}
          onClose={() => setFilling(null)}
          onSubmit={async (values) => {
            const { name } = filling;
            const { text, attachments } = await unwrap(api().mcpContent.prompt({ serverId: server.id, name, values }));
            const attached = attachments.map((each) => `[${each.kind === 'content' ? each.part.name : each.name}]`);
            setTexts((old) => ({ ...old, [name]: [text, ...attached].join('\n') }));
            setFilling(null);
          }}
        />
      )}
    </>
  );
}

function Arguments({ prompt }: { prompt: McpPrompt }) {
  const { t } = useTranslation('content');
  if (prompt.arguments.length === 0) return <p className="text-muted">{t('noArguments')}</p>;
  return (
    <dl aria-label={t('argument')} className="flex flex-col gap-2">
      {prompt.arguments.map(({ name, description, required }) => (
        <div key={name}>
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-mono [overflow-wrap:anywhere]">
              <VisibleText text={name} />
            </code>
            {required && <span className="text-xs">{t('needed')}</span>}
          </dt>
          {description && <dd className="text-muted [overflow-wrap:anywhere]">{description}</dd>}
        </div>
      ))}
    </dl>
  );
}
