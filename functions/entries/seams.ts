/** The seam of the function `delivery`, which answers all calls of options. */
import type { Route } from '../lib/http/app.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { DeliveryAppPorts } from '../people/delivery.ts'
import type { PersonalControlPorts } from '../people/personal-data-routes.ts'

export type HandlerPorts = PersonalControlPorts & DeliveryAppPorts & Pick<Shop, 'newId'>

/**
 * `handlers.ts`: what answers the calls of `operations.ts`, in the function `delivery`. It is called once, when an environment
 * starts, and makes ports of its own from the variables of the function. A throw there keeps the function from starting, so
 * it throws for a wrong variable only. A throw of a handler is answered `unavailable`.
 */
export type HandlersSeam = (
  ports: HandlerPorts,
  env: Readonly<Record<string, string | undefined>>,
) => readonly Route<unknown>[]
