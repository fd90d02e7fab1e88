import { expect, it } from 'vitest';
import { allowedExternal } from './allowed-links.ts';

it.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['http://localhost:3000/a', 'http://localhost:3000/a'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['mailto:a@example.com?subject=a+b%20c&CC=x@example.com', 'mailto:a@example.com?subject=a+b%20c&CC=x@example.com'],
  ['mailto:a@example.com?attach=/etc/passwd&body=x&Attachment=~/.ssh/id', 'mailto:a@example.com?body=x'],
  ['mailto:a@example.com?%61ttach=/etc/passwd', 'mailto:a@example.com'],
  ['HTTPS://EXAMPLE.COM/A', 'https://example.com/A'],
  [' \u0001https://example.com/\n', 'https://example.com/'],
  ['https://example.com/" & calc', 'https://example.com/%22%20&%20calc'],
])('opens %j as %s', (url, opened) => {
  expect(allowedExternal(url)).toBe(opened);
});

it.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'smb://host/share',
  'vscode://x',
  'ms-msdt:/id',
  'tinyelf://app/',
  '//example.com',
  'example.com',
  '',
])('refuses %j', (url) => {
  expect(allowedExternal(url)).toBeUndefined();
});
