/** Where a link of an e-mail ends the e-mails that are not about an order; `token` says for whom. */
export const unsubscribeRoute = '/api/unsubscribe'

export function unsubscribePath(token: string): string {
  return `${unsubscribeRoute}?token=${encodeURIComponent(token)}`
}
