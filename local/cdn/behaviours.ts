/** Which origin serves which path: the distribution's behaviours, as CloudFront reads their patterns. */
import { apiBehaviours, partPatterns } from '../../system/behaviours.ts'
import type { HttpFunction } from '../../system/functions.ts'

const behaviours = apiBehaviours.map(({ pattern, origin }) => ({ path: pathOf(pattern), origin }))

/** `*` is any number of characters, slashes too, `?` exactly one; the query is no part of a path. */
function pathOf(pattern: string): RegExp {
  const literal = pattern.replace(/[.+^$(){}|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('?', '[^?]').replaceAll('*', '[^?]*')}(?:[?]|$)`)
}

const parts = partPatterns.map(pathOf)

/** True when `url`, a path with its query, is one that pages ask for and no person does. */
export const isPart = (url: string): boolean => parts.some((path) => path.test(url))

/** The function that serves `url`, a path under `/api/` with its query. Throws for any other. */
export function functionOriginOf(url: string): HttpFunction {
  const behaviour = behaviours.find(({ path }) => path.test(url))
  if (behaviour === undefined) throw new Error('no behaviour of the API serves this path')
  return behaviour.origin
}
