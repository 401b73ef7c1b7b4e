/** Which origin serves which path: the distribution's behaviours, as CloudFront reads their patterns. */
import { apiBehaviours } from '../../infra/system/behaviours.ts'
import type { HttpFunction } from '../../infra/system/functions.ts'

const behaviours = apiBehaviours.map(({ pattern, origin }) => ({ path: pathOf(pattern), origin }))

/** `*` is any number of characters, slashes too, `?` exactly one; the query is no part of a path. */
function pathOf(pattern: string): RegExp {
  const literal = pattern.replace(/[.+^$(){}|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('?', '[^?]').replaceAll('*', '[^?]*')}(?:[?]|$)`)
}

/** The function that serves `url`, a path under `/api/` with its query. Throws for any other. */
export function functionOriginOf(url: string): HttpFunction {
  const behaviour = behaviours.find(({ path }) => path.test(url))
  if (behaviour === undefined) throw new Error('no behaviour of the API serves this path')
  return behaviour.origin
}
