import { describe, expect, it } from 'vitest';
import { mediaUrl } from './media.ts';

describe('mediaUrl', () => {
  it('makes an address of a picture or a sound', () => {
    expect(mediaUrl('image', { data: 'aGVs\nbG8=', mimeType: 'image/PNG' })).toBe('data:image/png;base64,aGVsbG8=');
    expect(mediaUrl('audio', { data: 'a-_b', mimeType: 'audio/wav' })).toBe('data:audio/wav;base64,a+/b');
  });

  it.each([
    ['a page', 'text/html', 'aGk='],
    ['a kind with more behind it', 'image/png;base64,x"onerror="alert(1)', 'aGk='],
    ['a kind of another class', 'audio/wav', 'aGk='],
    ['no base64', 'image/png', '<svg onload=alert(1)>'],
    ['nothing', 'image/png', ''],
  ])('refuses %s', (_what, mimeType, data) => {
    expect(mediaUrl('image', { data, mimeType })).toBeNull();
  });
});
