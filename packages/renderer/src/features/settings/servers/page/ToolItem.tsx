import type { ToolSetting } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool, McpToolAnnotations } from '@shared/contracts/mcp-types.ts';
import { ChevronRight, Play, TriangleAlert } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../../../../ui/Badge.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { CodeBlock } from '../../../../ui/CodeBlock.tsx';
import { cx } from '../../../../ui/cx.ts';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { Switch } from '../../../../ui/Switch.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { parameterLines } from '../logic/schema-lines.ts';
import { formatTokens } from '../tools/CostNote.tsx';
import { PolicyChoice } from '../tools/PolicyChoice.tsx';
import { setToolEnabled } from '../tools/tool-actions.ts';

const HINTS = [
  ['readOnlyHint', 'success'],
  ['destructiveHint', 'danger'],
  ['idempotentHint', 'neutral'],
  ['openWorldHint', 'neutral'],
] as const satisfies [keyof McpToolAnnotations, Tone][];

interface ToolProps {
  tool: MCPTool;
  /** Undefined while it isn't known what was decided about the tool. */
  setting?: ToolSetting;
  onTry: (toolName: string) => void;
}

/** One tool: a line with its switch that opens to what its server says of it, when it may run, and its parameters. */
export const ToolItem = memo(function ToolItem({ tool, setting, onTry }: ToolProps) {
  const { t } = useTranslation(['servers', 'tools']);
  const [open, setOpen] = useState(false);
  const hints = HINTS.filter(([hint]) => tool.annotations?.[hint] === true);
  const title = tool.title ?? tool.annotations?.title;
  return (
    <li data-testid="tool-row" className="[contain-intrinsic-height:56px] [content-visibility:auto]">
      <div className="flex items-start">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 grow items-start gap-2.5 px-4 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-surface-3/60"
        >
          <ChevronRight
            size={16}
            aria-hidden
            className={cx('mt-0.5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
          />
          <span className="min-w-0 grow">
            <span className={cx('flex items-baseline gap-x-2', open && 'flex-wrap')}>
              <code className="max-w-full shrink-0 font-medium font-mono [overflow-wrap:anywhere]">
                <VisibleText text={tool.name} />
              </code>
              {title && title !== tool.name && (
                <span className={cx('min-w-0 text-muted', open ? '[overflow-wrap:anywhere]' : 'truncate')}>
                  {title}
                </span>
              )}
            </span>
            {!open && <span className="block truncate text-muted">{tool.description}</span>}
          </span>
          {(hints.length > 0 || setting !== undefined) && (
            <span className="flex shrink-0 flex-wrap justify-end gap-1 max-sm:hidden">
              {setting && <Decided setting={setting} />}
              {hints.map(([hint, tone]) => (
                <Badge key={hint} tone={tone}>
                  {t(`hint.${hint}`)}
                </Badge>
              ))}
            </span>
          )}
        </button>
        {setting && (
          <span className="shrink-0 py-2 pr-4">
            <Switch
              aria-label={t('tools:switch', { tool: tool.name })}
              checked={setting.enabled}
              onChange={(enabled) => void setToolEnabled(tool.serverId, tool.name, enabled)}
            />
          </span>
        )}
      </div>
      {open && <ToolDetails tool={tool} setting={setting} onTry={onTry} />}
    </li>
  );
});

/** What differs from the rule: a tool is offered, asks, and can be described to the model as it is. */
function Decided({ setting: { enabled, policy, allowedBefore, warnings, renamed } }: { setting: ToolSetting }) {
  const { t } = useTranslation('tools');
  const remarks = warnings.length + (renamed ? 1 : 0);
  return (
    <>
      {remarks > 0 && (
        <Badge tone="warning" icon={TriangleAlert}>
          {t('warnings.count', { count: remarks })}
        </Badge>
      )}
      {!enabled && <Badge>{t('off')}</Badge>}
      {policy === 'allow' && <Badge tone="accent">{t('policy.allowed')}</Badge>}
      {policy === 'deny' && <Badge tone="danger">{t('policy.denied')}</Badge>}
      {allowedBefore && <Badge tone="warning">{t('policy.changed')}</Badge>}
    </>
  );
}

function Remarks({ tool, setting: { warnings, renamed } }: { tool: MCPTool; setting: ToolSetting }) {
  const { t } = useTranslation('tools');
  const remarks = [...(renamed ? [t('warnings.renamed', { id: tool.id })] : []), ...warnings];
  if (remarks.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted text-xs">{t('warnings.label')}</p>
      <ul className="flex list-disc flex-col gap-0.5 pl-4 [overflow-wrap:anywhere]">
        {[...new Set(remarks)].map((remark) => (
          <li key={remark}>
            <VisibleText text={remark} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ToolDetails({ tool, setting, onTry }: ToolProps) {
  const { t } = useTranslation(['servers', 'tools']);
  const parameters = parameterLines(tool.inputSchema);
  const said = HINTS.filter(([hint]) => tool.annotations?.[hint] !== undefined);
  return (
    <div className="flex flex-col gap-4 pr-4 pb-4 pl-10.5 text-sm">
      <p dir="auto" className="max-h-80 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={tool.description} />
      </p>
      <div className="flex flex-wrap items-end justify-between gap-3">
        {setting && <PolicyChoice tool={tool} setting={setting} />}
        <Button size="sm" icon={Play} onClick={() => onTry(tool.name)}>
          {t('tools:try')}
        </Button>
      </div>
      {setting && <Remarks tool={tool} setting={setting} />}
      {said.length > 0 && (
        <div className="flex flex-col gap-1">
          <p className="text-muted text-xs">{t('hint.label')}</p>
          <ul className="flex flex-wrap gap-1">
            {said.map(([hint, tone]) => (
              <li key={hint}>
                <Badge tone={tool.annotations?.[hint] ? tone : 'neutral'}>
                  {t(tool.annotations?.[hint] ? `hint.${hint}` : `hint.${hint}Not`)}
                </Badge>
              </li>
            ))}
          </ul>
        </div>
      )}
      {parameters.length > 0 ? (
        <dl className="flex flex-col gap-2">
          {parameters.map(({ name, type, required, description }) => (
            <div key={name}>
              <dt className="flex flex-wrap items-baseline gap-x-2">
                <code className="font-mono [overflow-wrap:anywhere]">
                  <VisibleText text={name} />
                </code>
                <span className="text-muted text-xs [overflow-wrap:anywhere]">{type}</span>
                {required && <span className="text-xs">{t('page.required')}</span>}
              </dt>
              {description && <dd className="text-muted [overflow-wrap:anywhere]">{description}</dd>}
            </div>
          ))}
        </dl>
      ) : (
        <p className="text-muted">{t('page.noParameters')}</p>
      )}
      <p className="text-muted text-xs">
        {t('page.wireName')} <code className="font-mono [overflow-wrap:anywhere]">{tool.id}</code>
        {setting && ` · ${t('tools:tokens', { tokens: formatTokens(setting.tokens) })}`}
      </p>
      <Disclosure label={t('page.schema')}>
        <div className="pt-1.5">
          <CodeBlock code={JSON.stringify(tool.inputSchema, null, 2)} language="json" />
        </div>
      </Disclosure>
    </div>
  );
}
