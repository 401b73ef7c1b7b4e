import fc from 'fast-check'

const codePoint = fc
  .oneof(fc.nat(0xff), fc.nat(0x10ffff))
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))

/** Texts of any Unicode characters. The library's own take a second of CPU to make. */
export const anyText = fc.array(codePoint).map((characters) => characters.join(''))

const byte = fc.nat(255).map((code) => `%${code.toString(16).padStart(2, '0').toUpperCase()}`)
const inSegment = fc.oneof(fc.constantFrom(..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@"), byte)

/** Paths as in addresses. `fc.webPath` first makes a table of all of Unicode, a second of work in each process. */
export const anyPath = fc
  .array(fc.array(inSegment).map((characters) => `/${characters.join('')}`))
  .map((segments) => segments.join(''))
