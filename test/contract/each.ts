/** One suite for every implementation of a port. */
import { afterAll, beforeAll, describe } from 'vitest'

/** Runs the same `suite` over each rig, which lives as long as its tests; `the` gives the running one. */
export function describeEach<Rig extends { stop: () => Promise<unknown> }>(
  what: string,
  starts: Readonly<Record<string, () => Promise<Rig>>>,
  suite: (the: () => Rig, name: string) => void,
): void {
  describe.each(Object.entries(starts))(`${what} in %s`, (name, start) => {
    let rig: Rig | undefined
    beforeAll(async () => {
      rig = await start()
    })
    afterAll(() => rig?.stop())
    suite(() => {
      if (rig === undefined) throw new Error('the rig runs only while its tests do')
      return rig
    }, name)
  })
}
