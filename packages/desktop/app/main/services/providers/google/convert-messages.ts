import type { Content, Part } from '@google/genai';
import type { AssistantContent, ModelImage, ModelMessage, ModelOrigin, ToolResultContent } from '../../ports/model.ts';
import { sendableResult, sendableWords } from '../wire/images.ts';
import { isSameOrigin } from '../wire/origin.ts';
import { wireToolName } from '../wire/tool-names.ts';
import { readGoogleData } from './provider-data.ts';

/** Google's own placeholder for calls that another model made: it switches the check of the signature off. */
export const PLACEHOLDER_SIGNATURE = 'skip_thought_signature_validator';

export interface GoogleConversion {
  origin: ModelOrigin;
  images: ReadonlySet<string>;
  /** The model refuses calls of the current tool turn without a signature. */
  demandsSignatures: boolean;
  /** The model takes pictures inside a function's response. */
  picturesInResponses: boolean;
}

/** History in the form of Gemini: one content for each message, and one for all results of a message's calls. */
export function convertMessages(messages: ModelMessage[], to: GoogleConversion): Content[] {
  // Signatures are asked for only after what the person said last.
  const turnStart = messages.findLastIndex((message) => message.role === 'user');
  const wireIds = new Map<string, string>();
  const contents: Content[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'user') add(contents, 'user', words(message, to));
    else if (message.role === 'tool') add(contents, 'user', responses(message.results, wireIds, to));
    else {
      const own = isSameOrigin(message.origin, to.origin);
      const parts = message.content.flatMap((part) => (own ? ownParts(part, wireIds) : foreignParts(part)));
      const isSigned = own && message.content.every(isStillSigned) && holdsSignature(parts);
      if (!isSigned && index > turnStart && to.demandsSignatures) signFirstCall(parts);
      add(contents, 'model', parts);
    }
  });
  return contents;
}

function words(message: Extract<ModelMessage, { role: 'user' }>, to: GoogleConversion): Part[] {
  const { text, images } = sendableWords(message, to.images);
  return [...(text.trim() === '' ? [] : [{ text }]), ...images.map(inlinePicture)];
}

const inlinePicture = ({ data, mimeType }: ModelImage): Part => ({ inlineData: { data, mimeType } });

/** What the model said in two messages, one right after the other, is one content: a call has to follow the user. */
function add(contents: Content[], role: 'user' | 'model', parts: Part[]): void {
  if (parts.length === 0) return;
  const last = contents.at(-1);
  if (role === 'model' && last?.role === 'model') last.parts?.push(...parts);
  else contents.push({ role, parts });
}

/** A signed call goes back as it was signed, whatever the app has made of its arguments since. */
function ownParts(part: AssistantContent, wireIds: Map<string, string>): Part[] {
  const data = readGoogleData(part.providerData);
  if (part.type !== 'tool-call') return data?.parts ?? foreignParts(part);
  if (data?.wireId) wireIds.set(part.callId, data.wireId);
  const id = data?.wireId && { id: data.wireId };
  const { name, args } = nameAndArgs(part);
  if (!data?.signed || !isStillSigned(part)) return [{ functionCall: { ...id, name, args } }];
  return [{ functionCall: { ...id, name, args: data.signed.args }, thoughtSignature: data.signed.thoughtSignature }];
}

/** False for a call whose tool has got another name since: the signature was for the old one. */
function isStillSigned(part: AssistantContent): boolean {
  if (part.type !== 'tool-call') return true;
  const signed = readGoogleData(part.providerData)?.signed;
  return signed === undefined || signed.name === wireToolName(part.name);
}

function foreignParts(part: AssistantContent): Part[] {
  if (part.type === 'tool-call') return [{ functionCall: nameAndArgs(part) }];
  return part.type === 'text' && part.text.trim() !== '' ? [{ text: part.text }] : [];
}

const nameAndArgs = (call: Extract<AssistantContent, { type: 'tool-call' }>) => ({
  name: wireToolName(call.name),
  args: call.args,
});

/** False where the signature never came: the person stopped before the first call was complete. */
const holdsSignature = (parts: Part[]): boolean =>
  parts.slice(parts.findIndex((part) => part.functionCall)).some((part) => part.thoughtSignature);

/** Of parallel calls the first carries the signature. */
function signFirstCall(parts: Part[]): void {
  const call = parts.find((part) => part.functionCall);
  if (call) call.thoughtSignature ??= PLACEHOLDER_SIGNATURE;
}

/** In the order of the calls, which is what pairs them: ids are sent only where Gemini gave them. */
function responses(results: ToolResultContent[], wireIds: Map<string, string>, to: GoogleConversion): Part[] {
  const beside: Part[] = [];
  const parts = results.map((result): Part => {
    const { text, images } = sendableResult(result, to.images);
    const pictures = images.map(inlinePicture);
    if (!to.picturesInResponses) beside.push(...pictures);
    const id = wireIds.get(result.callId);
    return {
      functionResponse: {
        ...(id && { id }),
        name: wireToolName(result.name),
        response: result.isError ? { error: text || 'The tool gave no reason.' } : { result: text },
        ...(to.picturesInResponses && pictures.length > 0 && { parts: pictures }),
      },
    };
  });
  return [...parts, ...beside];
}
