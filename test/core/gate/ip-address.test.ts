import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRange, networkOf, parseAddress, parseRange } from '../../../core/gate/ip-address.ts'

const canonical = (text: string) => {
  const range = parseRange(text)
  return range === undefined ? undefined : formatRange(range)
}

describe('an address (R8)', () => {
  it.each([
    ['2001:db8::1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1::1', '2001:0:0:1::1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::ffff:192.0.2.33', '192.0.2.33'],
    ['0:0:0:0:0:FFFF:c000:221', '192.0.2.33'],
    ['::192.0.2.33', '::c000:221'],
  ])('%s is written %s', (text, written) => {
    expect(parseAddress(text)).toBeDefined()
    expect(canonical(text)).toBe(written)
  })

  it.each(['', ' ', '1.2.3.4 ', '1.2.3.-4', '0x1.2.3.4', 'g::', 'fe80::1%eth0', '[::1]', '１.2.3.4'])(
    'is invalid as %j',
    (text) => {
      expect(parseAddress(text)).toBeUndefined()
    },
  )

  it('is read wherever node reads one, and nowhere else', () => {
    const group = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16)),
      fc.constantFrom('0', '0000', '00a', 'FFFF', '', '12345'),
    )
    const octet = fc.oneof(fc.integer({ min: 0, max: 300 }).map(String), fc.constantFrom('0', '00', '01', ''))
    const octets = fc.array(octet, { minLength: 3, maxLength: 5 }).map((all) => all.join('.'))
    const groups = fc.array(group, { minLength: 0, maxLength: 9 }).map((all) => all.join(':'))
    const text = fc.oneof(
      octets,
      groups,
      fc.tuple(groups, groups).map((both) => both.join('::')),
      fc.tuple(groups, octets).map((both) => both.join(':')),
      fc.tuple(groups, octets).map((both) => both.join('::')),
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.'), maxLength: 20 }),
    )
    let found = 0
    fc.assert(
      fc.property(text, (some) => {
        const address = parseAddress(some)
        if (address !== undefined) found += 1
        expect(address !== undefined, some).toBe(isIP(some) !== 0)
      }),
      { numRuns: 5000 },
    )
    expect(found).toBeGreaterThan(1000)
  })

  it('has one spelling, which names the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const written = canonical(text) ?? ''
        expect(parseAddress(written)).toEqual(parseAddress(text))
        expect(canonical(written)).toBe(written)
        const family = parseAddress(text)?.family
        // A URL writes addresses as RFC 5952 does.
        if (family === 6) expect(new URL(`http://[${text}]`).hostname).toBe(`[${written}]`)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a range (R8)', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['2001:db8:1:2:3::/64', '2001:db8:1:2::/64'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:10.1.2.3/128', '10.1.2.3'],
  ])('%s is written %s', (text, written) => {
    expect(canonical(text)).toBe(written)
  })

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0.0/8.0',
    '::/129',
    '::ffff:10.0.0.0/95',
    '/8',
    '10.0.0/8',
  ])('is invalid as %j', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  it('contains exactly the addresses that node says it contains', () => {
    const pair = fc.oneof(
      fc.tuple(fc.ipV4(), fc.ipV4(), fc.nat({ max: 32 })),
      fc.tuple(fc.ipV6(), fc.ipV6(), fc.nat({ max: 128 })),
    )
    fc.assert(
      fc.property(pair, fc.boolean(), ([start, other, prefix], isNear) => {
        const range = parseRange(`${start}/${prefix}`)
        const address = parseAddress(other)
        if (range === undefined || address === undefined || range.family !== address.family) return
        // Most random addresses are far outside; this one differs in the bits around the end of the prefix.
        const bits = range.family === 4 ? 32n : 128n
        const near = { ...range, value: range.value ^ ((address.value & 3n) << (bits - BigInt(prefix))) }
        const asked = isNear && near.value >> bits === 0n ? near : address
        const oracle = new BlockList()
        const family = range.family === 4 ? 'ipv4' : 'ipv6'
        oracle.addSubnet(formatRange({ ...range, prefix: Number(bits) }), prefix, family)
        const isIn = networkOf(asked, prefix).value === range.value
        expect(isIn).toBe(oracle.check(formatRange({ ...asked, prefix: Number(bits) }), family))
      }),
      { numRuns: 2000 },
    )
  })
})
