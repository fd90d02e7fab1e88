const fence = (text) => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(Math.max(3, longest + 1));
  return `${ticks}\n${text.trimEnd()}\n${ticks}`;
};

const contentText = (block) => (block.type === 'text' ? block.text : `[${block.type}]`);

function toolText({ serverName, toolName, wireName, args, state, result, error }) {
  const lines = [`**Tool** ${serverName ? `${serverName} · ${toolName}` : wireName} (${state})`];
  lines.push('Arguments', fence(JSON.stringify(args, null, 2)));
  if (result) lines.push(result.isError ? 'Error' : 'Result', fence(result.content.map(contentText).join('\n')));
  if (error) lines.push(`Error: ${error.message}`);
  return lines.join('\n\n');
}

function partText(part) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `> ${part.text.replaceAll('\n', '\n> ')}`;
    case 'tool':
      return toolText(part);
    case 'notice':
      return `*Notice: ${part.notice}*`;
    default:
      return `*Error: ${part.error.message}*`;
  }
}

/**
 * A conversation as Markdown.
 *
 * @param {object} conversation as `conversations.open` answers: `{conversation, messages}`
 * @param {string[]} preface lines to stand above it
 */
export function transcriptOf({ conversation, messages }, preface) {
  const parts = messages.map(({ role, parts }) => {
    const who = role === 'user' ? 'Person' : 'Model';
    return `## ${who}\n\n${parts.map(partText).join('\n\n')}`;
  });
  return `${[`# ${conversation.title || 'Untitled'}`, preface.join('\n'), ...parts].join('\n\n')}\n`;
}
