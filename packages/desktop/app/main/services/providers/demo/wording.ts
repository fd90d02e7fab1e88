import type { ToolResultContent } from '../../ports/model.ts';
import type { OpenAITool } from '../../ports/tool-formats.ts';
import { type Choice, displayName } from './choose-tool.ts';

const WHAT_IT_IS =
  'This is the demo: a set of rules on this computer, not an AI model. It chooses a tool whose name and description fit your message, calls it, and shows what it answered.';
/** Characters of all results together. */
const MOST_QUOTED = 6000;
const MOST_LISTED = 6;

/** Where a step stands among those of the message, from 1. */
export interface StepPlace {
  number: number;
  of: number;
}

export function announceCalls(names: readonly string[], { number, of }: StepPlace): string {
  const what = of > 1 ? `step ${number} of ${of}` : 'your message';
  if (names.length === 1) return `Demo, not an AI model: **${names[0]}** fits ${what} best, so it is called.`;
  return `Demo, not an AI model: ${what} asks for several things, so these are called: ${names.map((name) => `**${name}**`).join(', ')}.`;
}

export function reportResults(results: readonly ToolResultContent[]): string {
  const room = Math.floor(MOST_QUOTED / results.length);
  const reports = results.map((result) => reportResult(result, room)).join('\n\n');
  if (results.every(({ declined }) => declined)) return reports;
  return `${reports}\n\nThe demo passes this on as it came. It is not an AI model and can’t interpret it.`;
}

/** Of steps that can't be gone on with. */
export function explainStop({
  place: { number, of },
  step,
  reason,
  results,
}: {
  place: StepPlace;
  step: string;
  reason: string;
  results: readonly ToolResultContent[];
}): string {
  return `${reportResults(results)}\n\nIt stops before step ${number} of ${of}: ${quoteLine(step)}\n\n${reason}`;
}

function reportResult({ name, isError, text, images = [], declined }: ToolResultContent, room: number): string {
  if (declined) return `You declined **${displayName(name)}**, so there is nothing to report.`;
  const pictures =
    images.length === 0 ? '' : `\n\nIt also sent ${images.length === 1 ? 'a picture' : `${images.length} pictures`}.`;
  const verb = isError ? 'gave no result' : 'answered';
  return `The tool **${displayName(name)}** ${verb}:\n\n${quote(text, room)}${pictures}`;
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
    return `${WHAT_IT_IS}\n\nThere is no tool to choose from at the moment. Switch on a server in the settings, under Tool servers, and ask again.`;
  }
  const listed = spread(tools).map(
    ({ function: { name, description } }) => `- **${displayName(name)}**: ${firstSentence(description)}`,
  );
  const more = tools.length > listed.length ? `\n\nAnd ${tools.length - listed.length} more.` : '';
  return `${WHAT_IT_IS}\n\nNo tool fits this message. Some that are there:\n\n${listed.join('\n')}${more}\n\nSay what to do in the tool’s own words; name files as they are called, and put text in quotes.`;
}

/** In a fence that is longer than any in the text, so that nothing in it is taken for formatting. */
function quote(text: string, room: number): string {
  if (text.trim() === '') return '(nothing)';
  const shown = text.length > room ? `${text.slice(0, room)}\n…` : text;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const rest = text.length > room ? `\n\n${text.length - room} more characters are in the tool’s card.` : '';
  return `${fence}\n${shown}\n${fence}${rest}`;
}

/** Words of the person in a line of the demo's own. */
const quoteLine = (text: string): string => `“${text.length > 200 ? `${text.slice(0, 200)}…` : text}”.`;

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
