import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commitEach, commitGroup, groupsOf, maxItems, TableUnavailable } from '../../../functions/lib/group-commit.ts'
import { testTelemetry } from '../../world/telemetry.ts'

type Entry = { sale: string; names: readonly string[] }

const entry = fc.record({
  sale: fc.constantFrom('one', 'two', 'three'),
  names: fc.uniqueArray(fc.nat(60).map(String), { minLength: 1, maxLength: 2 }),
})

it('groups of entries fit a transaction, touch no item twice, and hold each entry once, in its order (O3)', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), fc.integer({ min: 2, max: 5 }), (entries, items) => {
      const own = ({ sale, names }: Entry) => names.map((name) => `${sale} ${name}`)
      const groups = groupsOf(entries, { items, own, shared: ({ sale }) => sale })
      for (const group of groups) {
        const caps = new Set(group.map(({ sale }) => sale)).size
        expect(group.length * items + caps).toBeLessThanOrEqual(maxItems)
        const names = group.flatMap(own)
        expect(new Set(names).size).toBe(names.length)
        const places = group.map((one) => entries.indexOf(one))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }
      expect(new Set(groups.flat())).toEqual(new Set(entries))
      expect(groups.flat()).toHaveLength(entries.length)
    }),
  )
})

function ports() {
  const telemetry = testTelemetry()
  const pauses: number[] = []
  const clock = { now: 0 }
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds)
    clock.now += milliseconds
  }
  return { ...telemetry, pauses, sleep, clock: () => clock.now }
}

describe('a group commit', () => {
  const nextAttempt = (entries: readonly number[], { names }: { kind: 'refused'; names: readonly number[] }) =>
    entries.filter((one) => !names.includes(one))

  it('retries without the refused entries until the rest is written', async () => {
    const tries: (readonly number[])[] = []
    const write = async (entries: readonly number[]) => {
      tries.push(entries)
      const [first] = entries
      if (tries.length === 3 || first === undefined) return { kind: 'written' } as const
      return { kind: 'refused', names: [first] } as const
    }
    expect(await commitGroup(ports(), [1, 2, 3, 4], { write, nextAttempt }, 1_000)).toEqual([3, 4])
    expect(tries).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
      [3, 4],
    ])
  })

  it('writes nothing more when no entry is left', async () => {
    let writes = 0
    const write = async (names: readonly number[]) => {
      writes += 1
      return { kind: 'refused', names } as const
    }
    expect(await commitGroup(ports(), [1, 2], { write, nextAttempt }, 1_000)).toEqual([])
    expect(writes).toBe(1)
  })

  it('waits while the table is busy, begins nothing after its deadline, and throws then (I6)', async () => {
    const rig = ports()
    const write = async () => ({ kind: 'busy' }) as const
    const committing = commitGroup(rig, [1], { write, nextAttempt }, 500)
    await expect(committing).rejects.toThrow(TableUnavailable)
    expect(rig.clock()).toBeGreaterThanOrEqual(500)
    expect(rig.counted('TransactionsRefused')).toBe(rig.pauses.length)
  })

  it('goes on without a pause after a first part, and not after its deadline', async () => {
    const rig = ports()
    let tries = 0
    const inParts = async () => {
      tries += 1
      await rig.sleep(200)
      return tries % 3 === 0 ? ({ kind: 'written' } as const) : ({ kind: 'begun' } as const)
    }
    const group = { write: inParts, nextAttempt }
    expect(await commitGroup(rig, [1], group, 1_000)).toEqual([1])
    expect(rig.pauses).toEqual([200, 200, 200])
    await expect(commitGroup(rig, [2], group, 1_000)).rejects.toThrow(TableUnavailable)
    expect(tries).toBe(5)
  })

  it('asks an unavailable table again until its deadline, and then says why (O5, I6)', async () => {
    const rig = ports()
    let tries = 0
    const write = async () => {
      tries += 1
      if (tries === 3) return { kind: 'written' } as const
      return { kind: 'unavailable', cause: new Error('gone') } as const
    }
    expect(await commitGroup(rig, [1], { write, nextAttempt }, 500)).toEqual([1])
    expect(rig.pauses).toHaveLength(2)
    const gone = commitGroup(rig, [2], { write, nextAttempt }, 500)
    await expect(gone).rejects.toMatchObject({ name: 'TableUnavailable', cause: { message: 'gone' } })
    expect(rig.clock()).toBeGreaterThanOrEqual(500)
  })
})

it('commits of many groups return all the rest once the table is unavailable (I6)', async () => {
  let commits = 0
  const commit = async () => {
    commits += 1
    throw new TableUnavailable('unavailable')
  }
  expect(await commitEach([[1, 2], [3], [4]], commit, () => {})).toEqual([1, 2, 3, 4])
  expect(commits).toBe(1)
})
