import { expect, it } from 'vitest'
import { addressKey } from '../../../edge/memory/addresses.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2::a', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::a', '2001:db8:1:3::/64'],
])('the address %s is counted as %s, which one customer has (R3)', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
