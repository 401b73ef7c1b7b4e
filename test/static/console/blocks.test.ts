import { describe, expect, it } from 'vitest'
import { readList } from '../../../static/client/console/read.ts'
import { readBlock } from '../../../static/client/console/read-block.ts'

const entry = { kind: 'ip', value: '203.0.113.0/24', who: 'mia', when: 1_700_000_000_000 }

describe('the block list in the console (R8)', () => {
  it('is all that the function answers', () => {
    const shopper = { ...entry, kind: 'shopper', value: 'ann|1@example.org' }
    expect(readList({ entries: [entry, shopper] }, 'entries', readBlock)).toEqual([entry, shopper])
  })

  it.each(Object.keys(entry))('holds nothing without its %s', (name) => {
    expect(readBlock({ ...entry, [name]: undefined })).toBeUndefined()
  })

  it('holds nothing that could lead a call to another path', () => {
    expect(readBlock({ ...entry, value: '203.0.113.0/24/../../sales' })).toBeUndefined()
    expect(readBlock({ ...entry, kind: 'shopper', value: '../../sales' })).toBeUndefined()
    expect(readBlock({ ...entry, kind: 'sales' })).toBeUndefined()
  })
})
