import type { McpResourceTemplate } from '@shared/contracts/mcp-content-types.ts';
import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../../bridge/api.ts';
import { unwrap } from '../../../../../bridge/errors.ts';
import type { ResourceListing } from '../../../../../stores/content.ts';
import { Button } from '../../../../../ui/Button.tsx';
import { Card } from '../../../../../ui/Card.tsx';
import { ArgumentsDialog, templateFields } from '../../../../content/ArgumentsDialog.tsx';
import { MoreButton } from '../../../shared/MoreButton.tsx';
import { usePaged } from '../../../shared/usePaged.ts';
import { ContentList, Quiet } from './ContentList.tsx';
import { OpeningItem } from './OpeningItem.tsx';
import { ResourceView } from './ResourceView.tsx';

/** How many are put on the screen at once. */
const STEP = 100;

/** The resources and templates of a server. One at a time is open, and followed. */
export function ResourceList({ server, state }: { server: McpServerView; state: McpServerState }) {
  return (
    <ContentList
      kind="resources"
      server={server}
      state={state}
      isEmpty={({ resources, templates }) => resources.length + templates.length === 0}
    >
      {(listing, matches) => <Resources serverId={server.id} serverName={server.name} {...{ listing, matches }} />}
    </ContentList>
  );
}

function Resources({
  serverId,
  serverName,
  listing,
  matches,
}: {
  serverId: string;
  serverName: string;
  listing: ResourceListing;
  matches: (...texts: (string | undefined)[]) => boolean;
}) {
  const { t } = useTranslation('content');
  const [open, setOpen] = useState<string | null>(null);
  const [filling, setFilling] = useState<McpResourceTemplate | null>(null);
  /** What a template was opened with, by template. */
  const [filled, setFilled] = useState<Record<string, string>>({});
  const resources = listing.resources.filter((each) => matches(each.uri, each.name, each.title, each.description));
  const templates = listing.templates.filter((each) =>
    matches(each.uriTemplate, each.name, each.title, each.description),
  );
  const { shown, rest, more } = usePaged(resources, STEP);
  const isAny = listing.resources.length + listing.templates.length > 0;
  const toggle = (key: string) => setOpen(open === key ? null : key);

  return (
    <>
      {isAny && resources.length + templates.length === 0 && <Quiet>{t('noMatch')}</Quiet>}
      {shown.length > 0 && (
        <Card>
          <ul aria-label={t('resources')} className="divide-y divide-border">
            {shown.map(({ uri, name, title, description }) => (
              <OpeningItem
                key={uri}
                name={name}
                title={title}
                detail={description ?? uri}
                open={open === uri}
                onToggle={() => toggle(uri)}
              >
                <ResourceView serverId={serverId} uri={uri} />
              </OpeningItem>
            ))}
          </ul>
        </Card>
      )}
      <MoreButton rest={rest} onMore={more} />
      {templates.length > 0 && (
        <>
          <h3 className="font-medium text-sm">{t('templates')}</h3>
          <Card>
            <ul aria-label={t('templates')} className="divide-y divide-border">
              {templates.slice(0, STEP).map((template) => {
                const { uriTemplate, name, title, description } = template;
                const uri = filled[uriTemplate];
                return (
                  <OpeningItem
                    key={uriTemplate}
                    name={name}
                    title={title}
                    detail={description}
                    open={open === uriTemplate}
                    onToggle={() => toggle(uriTemplate)}
                  >
                    <code className="font-mono text-muted text-xs [overflow-wrap:anywhere]">{uriTemplate}</code>
                    <Button size="sm" className="self-start" onClick={() => setFilling(template)}>
                      {t('fill')}
                    </Button>
                    {uri && <ResourceView key={uri} serverId={serverId} uri={uri} />}
                  </OpeningItem>
                );
              })}
            </ul>
          </Card>
        </>
      )}
      {filling && (
        <ArgumentsDialog
          title={filling.title ?? filling.name}
          description={t('fillTemplateText', { server: serverName })}
          serverId={serverId}
          of={{ type: 'template', uriTemplate: filling.uriTemplate }}
          fields={templateFields(filling)}
          submitLabel={t('doOpen')}
          onClose={() => setFilling(null)}
          onSubmit={async (values) => {
            const { uriTemplate } = filling;
            const { uri } = await unwrap(api().mcpContent.expand({ serverId, uriTemplate, values }));
            setFilled((old) => ({ ...old, [uriTemplate]: uri }));
            setFilling(null);
          }}
        />
      )}
    </>
  );
}
