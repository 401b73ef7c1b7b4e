/** Every call of the control API, with parts that make it a path. */
import { type ControlCall, controlRoutes } from '../../../core/api/control-routes.ts'

export const callNames = Object.keys(controlRoutes) as ControlCall[]

/** Parameters for paths; none of them exists in an empty shop. */
export const someParts = {
  saleId: 'phone-42',
  orderId: 'phone-42-abcdefghijklmnopqrstuvwxyz',
  uploadId: '0123456789abcdef0123456789abcdef',
  kind: 'shopper',
  value: 'bob',
  name: 'shop',
}
