import fc from 'fast-check'

const codePoint = fc
  .oneof(fc.nat(0xff), fc.nat(0x10ffff))
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))

/** Texts of any Unicode characters. The library's own take a second of CPU to make. */
export const anyText = fc.array(codePoint).map((characters) => characters.join(''))
