import { afterEach } from 'vitest'

/** What a test has started and must stop: the last one first, after each test. */
export function useStops(): (() => unknown)[] {
  const stops: (() => unknown)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })
  return stops
}
