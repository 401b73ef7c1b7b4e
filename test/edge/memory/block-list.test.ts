import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockField } from '../../../core/gate/block.ts'
import { formatRange, networkOf } from '../../../core/gate/ip-address.ts'
import { readBlockList } from '../../../edge/memory/block-list.ts'
import { shopperIdOf } from '../support.ts'

describe('the block list in memory', () => {
  it('blocks addresses in its ranges, of both families, and no others (R8)', () => {
    const list = readBlockList(['ip 203.0.113.7', 'ip 10.0.0.0/8', 'ip 2001:db8::/32', 'ip ::1', 'ip 192.0.2.128/25'])
    const inside = ['203.0.113.7', '10.0.0.0', '10.255.255.255', '2001:db8::', '2001:0db8:ffff:ffff::1', '::1']
    const written = ['::ffff:10.1.2.3', '0:0:0:0:0:0:0:1', '2001:DB8::A', '192.0.2.128', '192.0.2.255']
    for (const address of [...inside, ...written]) expect(list.hasAddress(address), address).toBe(true)
    const outside = ['203.0.113.8', '11.0.0.0', '9.255.255.255', '2001:db9::', '::2', '192.0.2.127', 'unknown', '']
    for (const address of outside) expect(list.hasAddress(address), address).toBe(false)
  })

  it('blocks a whole family with a range of length 0, and no address of the other', () => {
    expect(readBlockList(['ip 0.0.0.0/0']).hasAddress('203.0.113.7')).toBe(true)
    expect(readBlockList(['ip 0.0.0.0/0']).hasAddress('2001:db8::1')).toBe(false)
    expect(readBlockList(['ip ::/0']).hasAddress('2001:db8::1')).toBe(true)
    expect(readBlockList(['ip ::/0']).hasAddress('203.0.113.7')).toBe(false)
  })

  it('blocks the listed shoppers, each by the whole id (R8)', () => {
    const list = readBlockList([blockField({ kind: 'shopper', value: 'ann@example|7' })])
    const has = (text: string) => list.hasShopper(shopperIdOf(text))
    expect(has('ann@example|7')).toBe(true)
    for (const other of ['ann', 'ann@example|77', 'ANN@example|7']) expect(has(other)).toBe(false)
    expect(list.hasAddress('203.0.113.7')).toBe(false)
  })

  it('agrees with the ranges themselves, for any ranges (R8)', () => {
    const range = fc
      .integer({ min: 0, max: 32 })
      .chain((prefix) => fc.nat(0xffffffff).map((value) => networkOf({ family: 4, value: BigInt(value) }, prefix)))
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), fc.nat(0xffffffff), (ranges, value) => {
        const list = readBlockList(ranges.map((one) => blockField({ kind: 'ip', value: formatRange(one) })))
        const address = { family: 4 as const, value: BigInt(value) }
        const isIn = ranges.some((one) => networkOf(address, one.prefix).value === one.value)
        expect(list.hasAddress(formatRange({ ...address, prefix: 32 }))).toBe(isIn)
      }),
    )
  })

  it('ignores invalid entries', () => {
    const list = readBlockList(['', 'ip', 'ip x', 'ip 1.2.3.4/99', 'planet mars', 'shopper'])
    expect(list.hasAddress('1.2.3.4')).toBe(false)
  })
})
