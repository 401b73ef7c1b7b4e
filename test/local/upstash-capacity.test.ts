import { describe, expect, it } from 'vitest'
import { type Clock, openCapacity } from '../../local/upstash/capacity.ts'

/** A clock that jumps to the end of each wait. */
function jumpingClock(): Clock & { pass(ms: number): void } {
  let time = 1000
  return {
    now: () => time,
    async wait(ms) {
      time += ms
    },
    pass(ms) {
      time += ms
    },
  }
}

const stays = () => false

describe('the capacity of a database', () => {
  it('lets requests through at the limit, and not faster', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(100, clock)
    const startedAt = clock.now()
    for (let request = 0; request < 210; request += 1) (await capacity.take(stays))?.(1)
    expect(clock.now() - startedAt, 'ten at once, then one in 10 ms').toBe(2000)
  })

  it('counts the commands that a script ran', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1000, clock)
    const startedAt = clock.now()
    for (let request = 0; request < 250; request += 1) (await capacity.take(stays))?.(8)
    const seconds = (clock.now() - startedAt) / 1000
    expect((250 * 8) / seconds).toBeGreaterThan(950)
    expect((250 * 8 - 100) / seconds).toBeLessThan(1010)
  })

  it('counts them for requests that arrive together as well', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1000, clock)
    const startedAt = clock.now()
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const settle = await capacity.take(stays)
        await Promise.resolve()
        settle?.(8)
      }),
    )
    ;(await capacity.take(stays))?.(1)
    expect(clock.now() - startedAt, '4,000 commands, of which 100 at once').toBeGreaterThan(3700)
    expect(clock.now() - startedAt).toBeLessThan(4000)
  })

  it('expects of the next requests what the last ones ran, so that a crowd does not pass at once', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1000, clock)
    for (let request = 0; request < 200; request += 1) (await capacity.take(stays))?.(8)
    clock.pass(1000)
    clock.wait = () => new Promise(() => {})
    let admitted = 0
    for (let request = 0; request < 100; request += 1) {
      void capacity.take(stays).then(() => {
        admitted += 1
      })
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(admitted, 'a hundred commands, eight in each request').toBe(13)
  })

  it('saves a tenth of a second while it is idle, and no more', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1000, clock)
    clock.pass(60_000)
    const startedAt = clock.now()
    for (let request = 0; request < 100; request += 1) (await capacity.take(stays))?.(1)
    expect(clock.now() - startedAt).toBe(0)
    await capacity.take(stays)
    expect(clock.now() - startedAt).toBe(1)
  })

  it('lets requests through in the order in which they came', async () => {
    const capacity = openCapacity(1, jumpingClock())
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map(async (request) => {
        const settle = await capacity.take(stays)
        order.push(request)
        settle?.(1)
      }),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('runs a single request at any limit, however many commands it has', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1, clock)
    const startedAt = clock.now()
    ;(await capacity.take(stays))?.(5)
    expect(clock.now() - startedAt, 'at once').toBe(0)
    ;(await capacity.take(stays))?.(1)
    expect(clock.now() - startedAt, 'after the five are paid for').toBe(5000)
  })

  it('drops a request whose client has left, which takes no capacity', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1, clock)
    const startedAt = clock.now()
    let isGone = false
    ;(await capacity.take(stays))?.(1)
    const [second, left] = [capacity.take(() => isGone), capacity.take(() => true)]
    const last = capacity.take(stays)
    isGone = true
    expect(await second).toBeUndefined()
    expect(await left).toBeUndefined()
    expect(await last).toBeTypeOf('function')
    expect(clock.now() - startedAt).toBe(1000)
  })

  it('changes for requests that wait as well', async () => {
    const clock = jumpingClock()
    const capacity = openCapacity(1, clock)
    const startedAt = clock.now()
    for (let request = 0; request < 3; request += 1) (await capacity.take(stays))?.(1)
    expect(clock.now() - startedAt).toBe(2000)
    const waiting = capacity.take(stays)
    capacity.change(1000)
    ;(await waiting)?.(1)
    expect(clock.now() - startedAt).toBeLessThanOrEqual(2200)
    const fastAt = clock.now()
    for (let request = 0; request < 1000; request += 1) (await capacity.take(stays))?.(1)
    expect(clock.now() - fastAt).toBeLessThanOrEqual(1000)
  })
})
