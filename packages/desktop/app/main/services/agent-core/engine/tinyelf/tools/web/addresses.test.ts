import { describe, expect, it } from 'vitest';
import { isPublicAddress, literalAddress } from './addresses.ts';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::8'])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100:0:0:1::1',
    '1::1',
    '4000::1',
    'fe80::1%25eth0',
    '127.0.0.1.',
    '192.88.99.1',
    '::ffff:0:127.0.0.1',
    'localhost',
    '',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the networks of this machine', () => {
  const own = ['127.0.0.1/8', '2a02:1:2:3::5/64', '203.1.2.3/24', '2a05::1/0', '9.9.9.9/0'];

  it.each(['2a02:1:2:3::5', '2a02:1:2:3:ffff::9', '203.1.2.200'])('are local: %s', (address) => {
    expect(isPublicAddress(address, [])).toBe(true);
    expect(isPublicAddress(address, own)).toBe(false);
  });

  it.each(['2a02:1:2:4::5', '203.1.3.1', '8.8.8.8', '2606:4700::1111'])('do not reach to %s', (address) => {
    expect(isPublicAddress(address, own)).toBe(true);
  });
});

describe('literalAddress', () => {
  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://[::FFFF:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://example.com/', undefined],
    ['http://1.2.3.4.example.com/', undefined],
  ])('finds in %s %s', (url, address) => {
    expect(literalAddress(new URL(url).hostname)).toBe(address);
  });
});
