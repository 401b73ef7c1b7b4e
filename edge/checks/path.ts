/** Is there anything at this path, and does it take this method? */
import type { EdgeRequest, EdgeResponse } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import { methodsOf, type Route, routeOf } from '../routes.ts'

const notFound = prebuiltProblem('not-found', 'No such address.')

const wrongMethod = Object.fromEntries(
  Object.entries(methodsOf).map(([kind, methods]) => {
    const allow = methods.join(', ')
    return [kind, prebuiltProblem('method-not-allowed', `Use ${allow}.`, {}, { allow })]
  }),
)

/** The route of the request, or the refusal: 404, or 405 with Allow. */
export function checkPath(
  request: EdgeRequest,
): { route: Route; refusal?: never } | { route?: never; refusal: EdgeResponse } {
  const route = routeOf(request.uri)
  if (route === undefined) return { refusal: notFound }
  if (methodsOf[route.kind].includes(request.method)) return { route }
  return { refusal: wrongMethod[route.kind] ?? notFound }
}
