/** The pass of a client that has a session token and no cookies. */
import { passHeader } from '../core/gate/pass.ts'

/** A shopper's session; `pass` is undefined while the shop gives none, and wants none. */
export type ShopperSession = { token: string; pass: string | undefined }

/** A pass for the shopper with this session token; undefined when the shop gives none. */
export async function fetchPass(url: string, token: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/pass`, { headers: { authorization: `Bearer ${token}` } })
  // The header says it all, and an unread body keeps the connection.
  await response.arrayBuffer()
  return response.headers.get(passHeader) ?? undefined
}

/** The headers of a click. */
export function sessionHeaders({ token, pass }: ShopperSession): Record<string, string> {
  return { authorization: `Bearer ${token}`, ...(pass === undefined ? {} : { [passHeader]: pass }) }
}
