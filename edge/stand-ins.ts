/**
 * Stand-ins for the standard `Request` and `Response`, which Hono passes through the gate. The first standard one of a
 * process costs 58 to 95 ms of a cold start, because Node then loads its client of `fetch`. Each type lists the members
 * that are there. `test/contract/stand-ins.test.ts` compares them with the standard objects.
 */

/** The methods that a route may have. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Stands for every method that no route has, because Hono itself would make GET of HEAD. */
export const otherMethod = 'OPTIONS'

/**
 * A standard request reduced to its method. Path and answer are in the bindings, so nothing is read a second time,
 * decoded or joined to a host header.
 */
export type GateRequest = Pick<Request, 'method'>

/** The request for Hono to route. */
export const requestFor = (method: string): GateRequest => ({
  method: methods.some((one) => one === method) ? method : otherMethod,
})

/** A standard response without any member, because the answer is in the bindings and Hono reads no member. */
type ResponseStandIn = Pick<Response, never>

const standIn: ResponseStandIn = {}

/** Stands for every answer within Hono, whose types name the whole of a response. */
export const answered = Promise.resolve(standIn as Response)
