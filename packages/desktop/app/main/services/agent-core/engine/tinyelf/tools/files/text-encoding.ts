import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** What the bytes of a file are. */
export type Decoded =
  | {
      kind: 'text';
      /** Without the byte order mark. */
      text: string;
      encoding: Encoding;
      bom: boolean;
      /** Whether encoding the text again gives the same bytes. */
      exact: boolean;
    }
  | { kind: 'binary'; what: string };

const BOMS: [Encoding, Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** Beginnings of common kinds of files, some at an offset. */
const SIGNATURES: [string, number, string][] = [
  ['PNG picture', 0, '89504e470d0a1a0a'],
  ['JPEG picture', 0, 'ffd8ff'],
  ['GIF picture', 0, '474946383'],
  ['WebP picture', 8, '57454250'],
  ['icon', 0, '00000100'],
  ['PDF document', 0, '255044462d'],
  ['ZIP archive', 0, '504b0304'],
  ['gzip archive', 0, '1f8b'],
  ['xz archive', 0, 'fd377a585a00'],
  ['Zstandard archive', 0, '28b52ffd'],
  ['7-Zip archive', 0, '377abcaf271c'],
  ['tar archive', 257, '7573746172'],
  ['ELF program', 0, '7f454c46'],
  ['Mach-O program', 0, 'cffaedfe'],
  ['Windows program', 0, '4d5a90'],
  ['WebAssembly module', 0, '0061736d'],
  ['SQLite database', 0, '53514c69746520666f726d6174203300'],
  ['MP4 video', 4, '66747970'],
  ['MP3 sound', 0, '494433'],
  ['Ogg sound', 0, '4f676753'],
  ['WOFF font', 0, '774f4632'],
];

/** How many bytes a guess looks at. */
const SAMPLE = 4096;

/**
 * Tells text from other bytes. UTF-8 and, with a byte order mark or recognised by its NUL bytes, UTF-16. Text that is neither
 * comes with U+FFFD for what can't be read and isn't `exact`.
 */
export function decode(bytes: Buffer): Decoded {
  const [encoding, mark] = BOMS.find(([, bom]) => bytes.subarray(0, bom.length).equals(bom)) ?? [];
  if (encoding && mark) return text(bytes.subarray(mark.length), encoding, true);
  const what = signature(bytes);
  if (what) return { kind: 'binary', what };
  const wide = guessUtf16(bytes.subarray(0, SAMPLE));
  if (wide && bytes.length % 2 === 0) return text(bytes, wide, false);
  if (bytes.includes(0)) return { kind: 'binary', what: 'binary file' };
  return text(bytes, 'utf-8', false);
}

export function encode(text: string, encoding: Encoding, bom: boolean): Buffer {
  const mark = bom ? '\ufeff' : '';
  if (encoding === 'utf-8') return Buffer.from(mark + text, 'utf8');
  const wide = Buffer.from(mark + text, 'utf16le');
  return encoding === 'utf-16be' ? wide.swap16() : wide;
}

function text(bytes: Buffer, encoding: Encoding, bom: boolean): Decoded {
  if (encoding === 'utf-8') {
    if (bom && bytes.includes(0)) return { kind: 'binary', what: 'binary file' };
    return { kind: 'text', text: bytes.toString('utf8'), encoding, bom, exact: isUtf8(bytes) };
  }
  const whole = bytes.length % 2 === 0;
  // A copy, since swapping works in place.
  const even = Buffer.from(whole ? bytes : bytes.subarray(0, -1));
  const little = encoding === 'utf-16be' ? even.swap16() : even;
  return { kind: 'text', text: little.toString('utf16le'), encoding, bom, exact: whole };
}

function signature(bytes: Buffer): string | undefined {
  // The digits may be odd in number: the last half byte is free.
  return SIGNATURES.find(([, at, digits]) =>
    bytes
      .subarray(at, at + Math.ceil(digits.length / 2))
      .toString('hex')
      .startsWith(digits),
  )?.[0];
}

/** Mostly Latin text in UTF-16 has NUL in every other byte, and none in between. */
function guessUtf16(sample: Buffer): Encoding | undefined {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] !== 0) continue;
    if (i % 2 === 0) even++;
    else odd++;
  }
  const many = Math.max(2, sample.length * 0.2);
  if (even === 0 && odd >= many) return 'utf-16le';
  if (odd === 0 && even >= many) return 'utf-16be';
  return undefined;
}
