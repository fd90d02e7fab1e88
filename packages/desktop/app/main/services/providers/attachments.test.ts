import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../ports/model.ts';
import { convertMessages as toAnthropic } from './anthropic/convert-messages.ts';
import { convertMessages as toGoogle } from './google/convert-messages.ts';
import { convertMessages as toChat } from './openai/chat/convert-messages.ts';
import { convertMessages as toResponses } from './openai/responses/convert-messages.ts';
import { CALL_ID_RULES } from './wire/call-ids.ts';
import { GEMINI_IMAGE_TYPES, IMAGE_TYPES, NO_IMAGES } from './wire/images.ts';

const origin = { providerId: 'p', modelId: 'm' };
const data = 'iVBORw0KGgo=';
const png = { data, mimeType: 'image/png' };
const message: ModelMessage = { role: 'user', text: 'Look.', attached: 'Attached: notes.', images: [png] };
const text = 'Look.\n\nAttached: notes.';
const withoutPicture = `${text}\n[Image of type image/png, which this model can't be shown]`;

const chat = (images: ReadonlySet<string>, messages = [message]) =>
  toChat(undefined, messages, { origin, images, echoReasoning: false, callIds: CALL_ID_RULES.common });
const google = (images: ReadonlySet<string>) =>
  toGoogle([message], { origin, images, demandsSignatures: false, picturesInResponses: false });

describe('what a person sends along', () => {
  it('reaches each provider in its form, pictures included', () => {
    const url = `data:image/png;base64,${data}`;
    expect(chat(IMAGE_TYPES)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    expect(toResponses([message], { origin, images: IMAGE_TYPES })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text },
          { type: 'input_image', image_url: url, detail: 'auto' },
        ],
      },
    ]);
    expect(toAnthropic([message], { origin, images: IMAGE_TYPES })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
        ],
      },
    ]);
    expect(google(GEMINI_IMAGE_TYPES)).toEqual([
      { role: 'user', parts: [{ text }, { inlineData: { mimeType: 'image/png', data } }] },
    ]);
  });

  it('is named where the model takes no pictures', () => {
    expect(chat(NO_IMAGES)).toEqual([{ role: 'user', content: withoutPicture }]);
    expect(toResponses([message], { origin, images: NO_IMAGES })).toEqual([{ role: 'user', content: withoutPicture }]);
    expect(toAnthropic([message], { origin, images: NO_IMAGES })).toEqual([
      { role: 'user', content: [{ type: 'text', text: withoutPicture }] },
    ]);
    expect(google(NO_IMAGES)).toEqual([{ role: 'user', parts: [{ text: withoutPicture }] }]);
  });

  it.each([
    ['IMAGE/PNG', 'QUFB', 'image/png'],
    ['image/jpg', 'QUFB', 'image/jpeg'],
    ['image/png; charset=binary', 'QUFB', 'image/png'],
    ['image/x-png', 'QUFB', 'image/png'],
    // What it is said to be is not always what it is.
    ['image/png', '/9j/4AAQ', 'image/jpeg'],
    ['image/jpeg', data, 'image/png'],
    ['application/octet-stream', 'R0lGODlh', 'image/gif'],
    ['image/png', Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('base64'), 'image/webp'],
  ])('is sent as the type that it is: %s, %s', (mimeType, picture, type) => {
    const images = [{ data: picture, mimeType }];
    const [sent] = toAnthropic([{ role: 'user', text: 'Look.', images }], { origin, images: IMAGE_TYPES });
    expect(sent?.content).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: type, data: picture },
    });
    expect(JSON.stringify(chat(IMAGE_TYPES, [{ role: 'user', text: 'Look.', images }]))).toContain(
      `data:${type};base64,`,
    );
  });

  it('leaves messages without it as they were', () => {
    expect(chat(IMAGE_TYPES, [{ role: 'user', text: 'Hi' }])).toEqual([{ role: 'user', content: 'Hi' }]);
  });
});
