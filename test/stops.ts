import { afterEach } from 'vitest'

/** Collects what a test has started, and stops it after each test: the last one first. */
export function useStops(): (() => unknown)[] {
  const stops: (() => unknown)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })
  return stops
}
