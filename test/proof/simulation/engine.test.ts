/** The simulation engine: what a fault does to a step, and to the steps after it. */
import { describe, expect, it } from 'vitest'
import { type FaultProfile, noFaults, type StepFault } from '../../../proof/simulation/engine/faults.ts'
import { openRandom, seedOf } from '../../../proof/simulation/engine/random.ts'
import { openSimulation, type Simulation } from '../../../proof/simulation/engine/simulation.ts'
import { stepper } from '../../../proof/simulation/engine/step.ts'
import { type SimulatedQueue, simulatedQueue } from '../../../proof/simulation/parts/queue.ts'

/** Injects `fault` into every step that can have it, until the faults end. */
function always(fault: StepFault): FaultProfile {
  return { ...noFaults(), rate: 1, overtaking: 0, weights: new Map([[fault, 1]]) }
}

/** Returns the outcome of an invocation of two steps, and the number of executions of each step. */
async function twoSteps(fault: StepFault, limitMs = 60_000) {
  const profile = always(fault)
  const simulation = openSimulation(openRandom(1), profile, 0)
  const done = { first: 0, second: 0 }
  const { call } = stepper(simulation, 'table')
  const first = call('first', async () => {
    done.first += 1
  })
  const second = call('second', async () => {
    done.second += 1
  })
  const outcome = await simulation.run(async () => {
    const invoked = await simulation.invoke('worker', limitMs, async () => {
      profile.rate = 1
      await first().finally(() => {
        profile.rate = 0
      })
      await second()
    })
    // Long enough for late steps.
    await simulation.sleep(60_000)
    return invoked.kind
  })
  return { outcome, ...done }
}

describe('a step', () => {
  it.each<[StepFault, Awaited<ReturnType<typeof twoSteps>>]>([
    ['killed before', { outcome: 'died', first: 0, second: 0 }],
    ['killed after', { outcome: 'died', first: 1, second: 0 }],
    ['refused', { outcome: 'failed', first: 0, second: 0 }],
    ['reply lost', { outcome: 'failed', first: 1, second: 0 }],
    ['late', { outcome: 'failed', first: 1, second: 0 }],
    ['delayed', { outcome: 'answered', first: 1, second: 1 }],
    ['frozen', { outcome: 'answered', first: 1, second: 1 }],
    ['twice', { outcome: 'answered', first: 2, second: 1 }],
  ])('that is %s', async (fault, expected) => {
    expect(await twoSteps(fault)).toEqual(expected)
  })

  it('freezes for longer than the timeout and ends its invocation', async () => {
    expect(await twoSteps('frozen', 50)).toEqual({ outcome: 'died', first: 1, second: 0 })
  })
})

describe('the simulation', () => {
  it('runs platform timers in virtual time', async () => {
    const simulation = openSimulation(openRandom(1), noFaults(), 1000)
    const at = await simulation.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_600_000))
      return simulation.now()
    })
    expect(at).toBeGreaterThanOrEqual(3_601_000)
  })

  it('draws Math.random from the seed inside a run only', async () => {
    const draws = (seed: number) =>
      openSimulation(openRandom(seed), noFaults(), 0).run(async () => [Math.random(), Math.random()])
    expect(await draws(1)).toEqual(await draws(1))
    expect(await draws(1)).not.toEqual(await draws(2))
    const { random } = Math
    await draws(1)
    expect(Math.random).toBe(random)
  })

  it('reports a deadlock, and an error that no caller handles', async () => {
    const stuck = openSimulation(openRandom(1), noFaults(), 0)
    await expect(stuck.run(() => new Promise(() => {}))).rejects.toThrow('deadlock: all actors wait')
    const failing = openSimulation(openRandom(1), noFaults(), 0)
    const run = failing.run(async () => {
      failing.spawn('shopper', () => Promise.reject(new Error('fell')))
      await failing.sleep(1000)
    })
    await expect(run).rejects.toThrow('fell')
  })

  it('draws everything from the seed', () => {
    const draws = (seed: number) => {
      const random = openRandom(seed)
      return [random.whole(1, 1e6), random.spread(1, 1e6), random.pick([1, 2, 3]), random.chance(0.5)]
    }
    expect(draws(seedOf(7, 1))).toEqual(draws(seedOf(7, 1)))
    expect(draws(seedOf(7, 1))).not.toEqual(draws(seedOf(7, 2)))
  })
})

describe('the simulated queue', () => {
  const rules = { name: 'orders', visibilityMs: 60_000, maxReceives: 2 }
  const withQueue = (use: (simulation: Simulation, queue: SimulatedQueue) => Promise<void>) => {
    const simulation = openSimulation(openRandom(1), noFaults(), 0)
    return simulation.run(() => use(simulation, simulatedQueue(simulation, rules)))
  }

  it('hides a delayed message until its time and a received one until its timeout', () =>
    withQueue(async ({ sleep }, queue) => {
      queue.put('a', 5000)
      expect(queue.receive(10)).toEqual([])
      expect(queue.depth()).toEqual({ visible: 0, inFlight: 0, delayed: 1 })
      await sleep(5000)
      expect(queue.receive(10).map(({ body }) => body)).toEqual(['a'])
      expect(queue.receive(10)).toEqual([])
      expect(queue.depth()).toEqual({ visible: 0, inFlight: 1, delayed: 0 })
      await sleep(60_000)
      expect(queue.receive(10)).toHaveLength(1)
    }))

  it('deletes by the handle of the last receive only', () =>
    withQueue(async ({ sleep }, queue) => {
      queue.put('a')
      const early = queue.receive(1).map(({ handle }) => handle)
      await sleep(60_000)
      const late = queue.receive(1).map(({ handle }) => handle)
      queue.remove(early)
      expect(queue.bodies()).toEqual(['a'])
      queue.remove(late)
      expect(queue.bodies()).toEqual([])
    }))

  it('moves a message to the dead-letter queue after its last receive, and redrives it', () =>
    withQueue(async ({ sleep }, queue) => {
      queue.put('a')
      for (let receives = 0; receives < 3; receives += 1) {
        queue.receive(1)
        await sleep(60_000)
      }
      expect(queue.dead).toEqual([{ body: 'a', retries: 0 }])
      queue.redrive()
      expect(queue.receive(1).map(({ body }) => body)).toEqual(['a'])
    }))
})
