/** Ports that work until a given call and then fail, like a function that is killed: the answer never arrives. */

import { RedisUnavailable } from '../../../redis/errors.ts'

class CutOff extends Error {
  override name = 'CutOff'
}

/** A call to Redis that is cut off reaches its caller as an unavailable Redis. */
export const isCutOff = (error: unknown) => error instanceof CutOff || error instanceof RedisUnavailable

/** `before`: the call was never made. `after`: it was carried out, and its answer lost. */
export type Where = 'before' | 'after'

type Call = (...args: readonly unknown[]) => unknown

/**
 * `ports` whose call number `last` (from 1) of those to the parts in `names` is cut off, and every one after it. `calls`
 * returns how many there were. Parts outside `names` are not wrapped.
 */
export function cutOffAt<Ports extends object>(
  ports: Ports,
  names: readonly (keyof Ports)[],
  last: number,
  where: Where,
): { ports: Ports; calls: () => number } {
  let calls = 0
  const count = () => {
    calls += 1
    return calls
  }
  const wrapped = { ...ports }
  for (const name of names) wrapped[name] = wrapPart(ports[name], count, last, where)
  return { ports: wrapped, calls: () => calls }
}

function wrapPart<Part>(part: Part, count: () => number, last: number, where: Where): Part {
  if (typeof part !== 'object' || part === null) return part
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      // A table is called by its client.
      if (name === 'client') return wrapPart(member, count, last, where)
      if (typeof member !== 'function') return member
      const call: Call = (...args) => Reflect.apply(member, target, args)
      return name === 'pages' || name === 'pending' ? walk(call, count, last) : once(call, count, last, where)
    },
  })
}

function once(call: Call, count: () => number, last: number, where: Where): Call {
  return async (...args) => {
    const number = count()
    if (number > last || (number === last && where === 'before')) throw new CutOff(`call ${number}`)
    const answer = await call(...args)
    if (number === last) throw new CutOff(`answer ${number}`)
    return answer
  }
}

function walk(call: Call, count: () => number, last: number): Call {
  return async function* (...args) {
    const number = count()
    if (number >= last) throw new CutOff(`walk ${number}`)
    yield* call(...args) as AsyncIterable<unknown>
  }
}
