import type { MCPTool, McpToolAnnotations } from '@shared/contracts/mcp-types.ts';
import { ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../../../../ui/Badge.tsx';
import { CodeBlock } from '../../../../ui/CodeBlock.tsx';
import { cx } from '../../../../ui/cx.ts';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { parameterLines } from '../logic/schema-lines.ts';

const HINTS = [
  ['readOnlyHint', 'success'],
  ['destructiveHint', 'danger'],
  ['idempotentHint', 'neutral'],
  ['openWorldHint', 'neutral'],
] as const satisfies [keyof McpToolAnnotations, Tone][];

/** One tool: a line that opens to its description, what its server says of it, and its parameters. */
export const ToolItem = memo(function ToolItem({ tool }: { tool: MCPTool }) {
  const { t } = useTranslation('servers');
  const [open, setOpen] = useState(false);
  const hints = HINTS.filter(([hint]) => tool.annotations?.[hint] === true);
  const title = tool.title ?? tool.annotations?.title;
  return (
    <li className="[contain-intrinsic-height:56px] [content-visibility:auto]">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-start gap-2.5 px-4 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-surface-3/60"
      >
        <ChevronRight
          size={16}
          aria-hidden
          className={cx('mt-0.5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-medium font-mono [overflow-wrap:anywhere]">
              <VisibleText text={tool.name} />
            </code>
            {title && title !== tool.name && <span className="text-muted [overflow-wrap:anywhere]">{title}</span>}
          </span>
          {!open && <span className="block truncate text-muted">{tool.description}</span>}
        </span>
        {hints.length > 0 && (
          <span className="flex shrink-0 flex-wrap justify-end gap-1 max-sm:hidden">
            {hints.map(([hint, tone]) => (
              <Badge key={hint} tone={tone}>
                {t(`hint.${hint}`)}
              </Badge>
            ))}
          </span>
        )}
      </button>
      {open && <ToolDetails tool={tool} />}
    </li>
  );
});

function ToolDetails({ tool }: { tool: MCPTool }) {
  const { t } = useTranslation('servers');
  const parameters = parameterLines(tool.inputSchema);
  const said = HINTS.filter(([hint]) => tool.annotations?.[hint] !== undefined);
  return (
    <div className="flex flex-col gap-4 pr-4 pb-4 pl-10.5 text-sm">
      <p dir="auto" className="max-h-80 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={tool.description} />
      </p>
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
      </p>
      <Disclosure label={t('page.schema')}>
        <div className="pt-1.5">
          <CodeBlock code={JSON.stringify(tool.inputSchema, null, 2)} language="json" />
        </div>
      </Disclosure>
    </div>
  );
}
