import type { ToolResultContent } from '../../ports/model.ts';
import type { OpenAITool } from '../../ports/tool-formats.ts';
import { type Choice, displayName } from './choose-tool.ts';

const WHAT_IT_IS =
  'This is the demo: a set of rules on this computer, not an AI model. It chooses a tool whose name and description fit your message, calls it, and shows what it answered.';
const MOST_QUOTED = 6000;
const MOST_LISTED = 6;

export function announceCalls(names: readonly string[]): string {
  if (names.length === 1) return `Demo, not an AI model: **${names[0]}** fits your message best, so it is called.`;
  return `Demo, not an AI model: your message asks for several things, so these are called: ${names.map((name) => `**${name}**`).join(', ')}.`;
}

export function reportResults(results: readonly ToolResultContent[]): string {
  const reports = results.map(reportResult).join('\n\n');
  if (results.every(({ declined }) => declined)) return reports;
  return `${reports}\n\nThe demo passes this on as it came. It is not an AI model and can’t interpret it.`;
}

function reportResult({ name, isError, text, images = [], declined }: ToolResultContent): string {
  if (declined) return `You declined **${displayName(name)}**, so there is nothing to report.`;
  const pictures =
    images.length === 0 ? '' : `\n\nIt also sent ${images.length === 1 ? 'a picture' : `${images.length} pictures`}.`;
  const verb = isError ? 'gave no result' : 'answered';
  return `The tool **${displayName(name)}** ${verb}:\n\n${quote(text)}${pictures}`;
}

export function explainTooLong(limit: number): string {
  return `${WHAT_IT_IS}\n\nYour message is too long for it. Say it in fewer than ${limit} characters.`;
}

export function explainMissing({ tool, missing }: Choice): string {
  const names = missing.map((name) => `\`${name}\``).join(' and ');
  return `Demo, not an AI model: **${displayName(tool.function.name)}** fits your message best, but the message gives no value for ${names}. Write it into the message: a number, a file’s name, or text in quotes.`;
}

export function explainNoTool(tools: readonly OpenAITool[]): string {
  if (tools.length === 0) {
    return `${WHAT_IT_IS}\n\nThere is no tool to choose from at the moment. Switch on a server in the settings, under MCP servers, and ask again.`;
  }
  const listed = spread(tools).map(
    ({ function: { name, description } }) => `- **${displayName(name)}**: ${firstSentence(description)}`,
  );
  const more = tools.length > listed.length ? `\n\nAnd ${tools.length - listed.length} more.` : '';
  return `${WHAT_IT_IS}\n\nNo tool fits this message. Some that are there:\n\n${listed.join('\n')}${more}\n\nSay what to do in the tool’s own words; name files as they are called, and put text in quotes.`;
}

/** In a fence that is longer than any in the text, so that nothing in it is taken for formatting. */
function quote(text: string): string {
  if (text.trim() === '') return '(nothing)';
  const shown = text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}\n…` : text;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const rest =
    text.length > MOST_QUOTED ? `\n\n${text.length - MOST_QUOTED} more characters are in the tool’s card.` : '';
  return `${fence}\n${shown}\n${fence}${rest}`;
}

/** A few from everywhere in the list rather than the first server’s only. */
function spread(tools: readonly OpenAITool[]): OpenAITool[] {
  const step = Math.max(1, tools.length / MOST_LISTED);
  return Array.from({ length: Math.min(MOST_LISTED, tools.length) }, (_, n) => tools[Math.floor(n * step)]!);
}

function firstSentence(description: string): string {
  const sentence = description.split(/(?<=[.。!?])\s|\n/)[0] ?? '';
  const plain = sentence.replace(/[*_`[\]<>|#]/g, '').trim();
  return plain.length > 120 ? `${plain.slice(0, 117)}…` : plain || 'no description';
}
