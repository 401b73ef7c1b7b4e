/** Routes requests by method and path, for functions with more than one route. */
import { type HttpAnswer, methodNotAllowed, notFound } from './answer.ts'
import type { HttpRequest } from './request.ts'

type PathParts = Readonly<Record<string, string | undefined>>

export type PathRoute<Context> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A URLPattern path such as `/api/control/sales/:saleId`. */
  path: string
  run: (context: Context, parts: PathParts) => Promise<HttpAnswer>
}

type Router<Context> = (request: HttpRequest, context: Context) => Promise<HttpAnswer>

/** A router over `routes`: 404 for an unknown path, 405 with Allow for a wrong method. */
export function createRouter<Context>(routes: readonly PathRoute<Context>[]): Router<Context> {
  const compiled = routes.map((route) => ({ ...route, pattern: new URLPattern({ pathname: route.path }) }))
  return async (request, context) => {
    const pathname = request.path
    for (const { pattern, method, run } of compiled) {
      if (method !== request.method) continue
      const match = pattern.exec({ pathname })
      if (match !== null) return run(context, match.pathname.groups)
    }
    const others = compiled.filter(({ pattern }) => pattern.test({ pathname }))
    return others.length === 0 ? notFound() : methodNotAllowed(others.map(({ method }) => method))
  }
}
