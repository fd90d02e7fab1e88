import { expect, it } from 'vitest';
import { isAllowedExternal } from './allowed-links.ts';

it.each(['https://example.com', 'http://localhost:3000/a', 'mailto:a@example.com', 'HTTPS://EXAMPLE.COM'])(
  'opens %s',
  (url) => {
    expect(isAllowedExternal(url)).toBe(true);
  },
);

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
  expect(isAllowedExternal(url)).toBe(false);
});
