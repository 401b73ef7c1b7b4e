/** The behaviours of the distribution: the origin of each path, with CloudFront's pattern rules. */
import { apiBehaviours, consolePattern, openPatterns, pointerPattern, widgetPattern } from '../../system/behaviours.ts'
import type { HttpFunction } from '../../system/functions.ts'

const behaviours = apiBehaviours.map(({ pattern, origin, open = false }) => ({
  path: pathOf(pattern),
  origin,
  isOpen: open,
}))

/**
 * Compiles a pattern: `*` matches any number of characters including slashes, `?` exactly one. The query is not part of
 * the path.
 */
function pathOf(pattern: string): RegExp {
  const literal = pattern.replace(/[.+^$(){}|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('?', '[^?]').replaceAll('*', '[^?]*')}(?:[?]|$)`)
}

const logIn = pathOf('/sign-in/*')
const pointer = pathOf(pointerPattern)
const openObjects = [pointerPattern, ...openPatterns].map(pathOf)
const console = pathOf(consolePattern)
const widget = pathOf(widgetPattern)

/** True when `url`, a path with its query, is the pointer of a sale. */
export const isPointer = (url: string): boolean => pointer.test(url)

/** True when pages of other sites may read the answer for `url`, a path with its query. */
export const isOpen = (url: string): boolean =>
  url.startsWith('/api/')
    ? behaviours.find(({ path }) => path.test(url))?.isOpen === true
    : openObjects.some((path) => path.test(url))

/** True when `url`, a path with its query, is the console. */
export const isConsole = (url: string): boolean => console.test(url)

/** True when `url`, a path with its query, is the page with Turnstile's widget. */
export const isWidget = (url: string): boolean => widget.test(url)

/** True when `url`, a path with its query, is the log-in page of the local issuer; no function runs for it. */
export const isLogIn = (url: string): boolean => logIn.test(url)

/**
 * Returns the function that serves `url`, a path under `/api/` with its query.
 * @throws for any other path
 */
export function functionOriginOf(url: string): HttpFunction {
  const behaviour = behaviours.find(({ path }) => path.test(url))
  if (behaviour === undefined) throw new Error('no behaviour of the API serves this path')
  return behaviour.origin
}
