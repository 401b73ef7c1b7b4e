/** Why scripts and not MULTI/EXEC (P9): docs/decisions/stock.md. Neither rolls back, so ours must not fail after a write. */
import { expect, it } from 'vitest'
import { reserveScript } from '../../redis/buy/reserve.ts'

it('the script that takes stock checks every refusal before its first write (P9)', () => {
  const { source } = reserveScript
  const body = source.slice(source.indexOf('\n]]\n') + 4)
  // A refused try, which is written, ends with its own answer; a missing packet was not taken.
  for (const way of body.split(/(?<=return answer\(16\)\nend)/)) {
    const firstWrite = way.search(/call\('HSET'|call\('RPOP'/)
    expect(firstWrite).toBeGreaterThan(0)
    expect(way.slice(firstWrite)).not.toMatch(/call\('(?:HGET|HMGET|GET|HLEN|LLEN|EXISTS)'/)
  }
})
