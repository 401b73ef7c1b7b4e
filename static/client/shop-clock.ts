/** Asks the shop's time over HTTP and says how far the local clock is off. */
import { clockOffsetMs, localNow, sampleClock } from './clock.ts'
import { call, type Fetch } from './http.ts'
import { fieldsOf } from './wire.ts'

/** What to add to `localNow()` in ms, from `count` samples; undefined when none was answered. */
export async function shopOffsetMs(fetch: Fetch, count: number): Promise<number | undefined> {
  const ask = async () => {
    const reply = await call(fetch, '/api/time', { deadlineMs: 3000 })
    const now = reply.kind === 'ok' ? fieldsOf(reply.body)?.now : undefined
    return typeof now === 'number' ? now : undefined
  }
  return clockOffsetMs(await sampleClock(ask, localNow, count))
}
