/** A press that begins work: it is neither lost nor counted twice, and whoever leaves waits for it. */
import { expect, it } from 'vitest'
import { onePressAtATime, workEnded } from '../../../console/parts/one-at-a-time.ts'

/** A press whose readiness and work the test ends, with what has happened. */
function pressed() {
  const seen: string[] = []
  const ready = Promise.withResolvers<void>()
  const saved = Promise.withResolvers<void>()
  let entered = 'before'
  const press = onePressAtATime<[string]>(
    () => {
      const now = entered
      return async (by) => {
        seen.push(`${by} saves ${now}`)
        await saved.promise
      }
    },
    async () => ready.promise,
    (isBusy) => seen.push(isBusy ? 'busy' : 'free'),
  )
  const enter = (text: string) => {
    entered = text
  }
  return { seen, ready, saved, press, enter }
}

it('a press waits until it is ready, and then saves what is entered by then, once for all presses', async () => {
  const { seen, ready, saved, press, enter } = pressed()
  const first = press('first')
  const second = press('second')
  enter('after')
  ready.resolve()
  saved.resolve()
  await Promise.all([first, second])
  expect(seen).toEqual(['busy', 'first saves after', 'free'])
  await press('third')
  expect(seen.slice(3)).toEqual(['busy', 'third saves after', 'free'])
})

it.each(['readiness', 'work'])('takes the next press after its %s has failed', async (part) => {
  const { seen, ready, saved, press } = pressed()
  if (part === 'work') ready.resolve()
  const first = press('first')
  ;(part === 'work' ? saved : ready).reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  expect(seen.at(-1)).toBe('free')
  await press('second').catch(() => undefined)
  expect(seen.filter((what) => what === 'busy')).toHaveLength(2)
})

it('who leaves waits for work that has begun, and not for a press that is not ready', async () => {
  const { ready, saved, press } = pressed()
  const job = press('first')
  await workEnded()
  ready.resolve()
  await new Promise(setImmediate)
  let hasEnded = false
  const ended = workEnded().then(() => {
    hasEnded = true
  })
  await new Promise(setImmediate)
  expect(hasEnded).toBe(false)
  saved.resolve()
  await Promise.all([job, ended])
  expect(hasEnded).toBe(true)
})
