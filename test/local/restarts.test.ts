import { describe, expect, it } from 'vitest'
import { openRestarts, restartLimit } from '../../local/restarts.ts'

function open() {
  const lines: string[] = []
  const givenUp: string[] = []
  let now = 0
  const restarts = openRestarts({
    log: (line) => lines.push(line),
    gaveUp: (part) => givenUp.push(part),
    now: () => now,
    pause: async () => {},
  })
  const wait = (ms: number) => {
    now += ms
  }
  return { restarts, lines, givenUp, wait }
}

describe('a part that ends by itself', () => {
  it('is started again, and two lines say what happened and what it means', async () => {
    const { restarts, lines, givenUp } = open()
    restarts.ended('Redis', 'it was killed', async () => 'with its data.')
    await restarts.stop()
    expect(lines).toEqual(['Redis has ended by itself: it was killed', 'Redis runs again: with its data.'])
    expect(givenUp).toEqual([])
  })

  it('is restarted any number of times, while there is time between', async () => {
    const { restarts, givenUp, wait } = open()
    let starts = 0
    for (let time = 0; time < 20; time += 1) {
      restarts.ended('Redis', 'it was killed', async () => {
        starts += 1
        return 'with its data.'
      })
      wait(restartLimit.withinMs / restartLimit.times)
    }
    expect([starts, givenUp]).toEqual([20, []])
  })

  it('is given up after too many ends in a short time, and no other part is', async () => {
    const { restarts, lines, givenUp } = open()
    let starts = 0
    const again = async () => {
      starts += 1
      return 'with its data.'
    }
    for (let time = 0; time < restartLimit.times + 1; time += 1) restarts.ended('Redis (db-2)', 'killed', again)
    expect(givenUp).toEqual(['Redis (db-2)'])
    expect(starts).toBe(restartLimit.times)
    expect(lines.at(-1)).toContain('Redis (db-2) is not started again')
    restarts.ended('Redis (main)', 'killed', again)
    expect(starts).toBe(restartLimit.times + 1)
  })

  it('is given up when it cannot be started, with the reason', async () => {
    const { restarts, lines, givenUp } = open()
    restarts.ended('DynamoDB', 'killed', () => Promise.reject(new Error('Port 12000 is in use.')))
    await expect.poll(() => givenUp).toEqual(['DynamoDB'])
    expect(lines.slice(1, -1)).toEqual(
      Array(restartLimit.times).fill('DynamoDB has ended by itself: Port 12000 is in use.'),
    )
  })

  it('is given up at once when its data was in memory only', () => {
    const { restarts, lines, givenUp } = open()
    restarts.ended('DynamoDB', 'killed', null)
    expect(givenUp).toEqual(['DynamoDB'])
    expect(lines.at(-1)).toContain('its data was in memory only')
  })

  it('is not started again while the system stops', async () => {
    const { restarts, lines } = open()
    const started = Promise.withResolvers<string>()
    restarts.ended('Redis', 'killed', () => started.promise)
    const stopping = restarts.stop()
    restarts.ended('DynamoDB', 'killed', async () => 'never')
    started.resolve('with its data.')
    await stopping
    expect(lines.some((line) => line.startsWith('DynamoDB'))).toBe(false)
  })
})
